//! The macro `contract!` generates the tests for a backend, one per promise of the contract.

/// Generates the tests of the contract for a function `fn() -> Backend` that creates a new and
/// empty backend each time.
macro_rules! contract {
    ($make:path) => {
        $crate::contract::contract! { $make;
            changes: [
                of_nothing_are_none,
                of_code_are_told,
                of_relations_are_told,
                are_told_to_those_who_see_it,
                are_told_when_a_name_becomes_anothers,
            ];
            concurrent: [
                first_runs_at_once_make_one_capability,
                first_runs_in_several_stores_make_one_capability,
                different_codes_at_once_get_different_names,
                the_same_code_of_many_at_once_is_one_for_each,
                of_those_who_want_a_name_one_gets_it,
                uses_at_once_are_all_counted,
                a_trace_teaches_once_whoever_learns,
                what_is_learned_at_once_is_all_counted,
            ];
            cycles: [
                of_any_length_are_told,
                of_other_kinds_are_none,
                that_are_learned_are_told_once,
                through_what_is_hidden_are_not_told,
            ];
            delete: [
                everything_of_a_record_is_gone,
                the_same_code_elsewhere_stays,
                relations_go_with_what_they_were_learned_from,
                what_is_not_there_is_not_found,
                traces_stay,
            ];
            edges: [
                are_seen_from_both_ends,
                are_counted_and_become_observed,
                keep_the_strongest_of_what_was_said,
                what_a_person_states_stands,
                have_two_ends_that_are_there,
                go_with_their_ends,
                are_of_one_record,
                may_lead_both_ways,
                are_between_everything,
                are_listed_above_a_confidence,
                tell_what_kind_they_were,
                keep_their_times,
                can_be_removed,
                are_declared_where_that_is_surer,
                are_as_sure_as_they_are_shown,
            ];
            hidden: [
                are_not_seen_counted_or_changed,
                are_seen_as_far_as_both_ends,
                a_name_of_code_means_the_code,
            ];
            import: [
                takes_everything_over,
                keeps_what_is_known,
                keeps_what_others_shared,
                a_taken_name_stops_all_of_it,
                a_taken_alias_stops_all_of_it,
                a_generated_name_gives_way,
                the_same_code_twice_is_one,
                a_bad_namespace_is_refused,
            ];
            laws: [any_sequence_of_changes_does_what_a_simple_model_does];
            learn: [
                makes_relations_stronger,
                happens_once,
                takes_traces_from_the_oldest,
                can_be_explained,
                outlives_its_traces,
                leaves_out_what_is_gone_hidden_or_nothing,
                counts_what_is_said_twice,
                adds_to_what_was_stated,
                can_be_forgotten,
                leaves_what_was_stated,
                is_forgotten_only_by_those_who_taught_it,
                does_not_depend_on_the_order,
            ];
            list: [
                is_in_the_order_of_names,
                is_filtered,
                globs_match_names_aliases_and_fqdns,
                brackets_in_globs_mean_themselves,
                a_glob_without_end_is_refused,
                is_cut_into_pages,
                summaries_say_the_same_in_short,
            ];
            merge: [
                sums_and_moves_everything,
                moves_edges,
                moves_what_was_learned,
                leaves_the_same_code_elsewhere_alone,
                joins_two_of_the_same_code,
                what_differs_is_refused,
                the_order_and_number_of_calls_do_not_matter,
            ];
            names: [
                the_old_name_stays_as_an_alias,
                an_own_alias_becomes_the_name,
                the_same_name_changes_nothing,
                a_taken_name_is_a_conflict,
                a_taken_alias_is_a_conflict,
                another_scope_has_its_own_names,
                an_alias_is_added_once,
                what_is_not_there_cannot_be_named,
                history_tells_what_happened,
                time_does_not_go_back,
            ];
            observe: [
                is_counted_and_becomes_observed,
                tells_when_and_how_often,
                needs_a_relation,
                never_lowers_confidence,
            ];
            owners: [
                each_has_what_they_wrote,
                each_counts_names_and_forgets_alone,
                a_use_by_hash_leaves_what_is_hidden_alone,
                what_another_scope_shares_is_not_counted_here,
                what_is_shared_is_used_by_others,
                an_own_one_goes_before_a_shared_one,
                of_several_shared_ones_the_oldest_is_used,
                an_import_knows_nothing_of_what_is_hidden,
                forty_with_the_same_code_are_told_apart,
            ];
            parameters: [
                that_runs_refute_at_once_are_all_relaxed,
                of_what_is_not_there_are_not_relaxed,
            ];
            register: [
                the_first_run_makes_pattern_and_record,
                the_second_run_is_counted,
                the_first_content_stays,
                colliding_hashes_stay_distinct,
                a_taken_generated_name_is_lengthened,
                failures_count_as_use_only,
                a_time_that_is_none_spoils_nothing,
                the_trace_gets_the_name,
                everything_comes_back_as_it_was,
                a_bad_namespace_is_refused,
                parameters_that_are_too_deep_are_refused,
                what_is_not_there_cannot_be_used,
                an_empty_store_answers_nothing,
            ];
            relate: [
                is_asked_once_of_each,
                is_asked_again_when_it_is_shared,
                is_what_both_call,
                is_found_by_the_newer_of_two,
                is_taken_over_once,
            ];
            resolve: [
                by_id_fqdn_name_and_alias,
                ids_go_before_names,
                an_own_name_goes_before_an_id_elsewhere,
                what_is_near_goes_first,
                an_own_alias_goes_before_a_name_elsewhere,
                what_is_equally_near_is_several,
                an_id_of_several_scopes_is_the_nearest,
                an_id_is_of_one_record_of_a_scope,
                what_is_hidden_is_nothing,
                odd_names_are_nothing,
            ];
            runs: [
                are_remembered_step_by_step,
                that_end_well_keep_no_values,
                that_failed_can_be_taken_over,
                are_written_by_whoever_has_the_turn,
                that_never_began_are_not_found,
                are_taken_over_as_they_were_seen,
                with_a_write_that_left_are_asked_about,
                of_many_who_take_over_one_does,
                are_seen_by_whoever_began_it,
                are_listed_and_filtered,
                are_forgotten_like_traces,
                what_is_too_deep_to_be_read_is_not_kept,
            ];
            tools: [are_remembered, another_configuration_makes_them_stale];
            traces: [
                that_are_under_way_are_shown_and_teach_nothing,
                of_a_run_that_somebody_took_over_are_not_recorded,
                come_back_as_they_were,
                are_listed_newest_first,
                are_found_by_what_they_ran_or_called,
                are_found_by_the_beginning_of_their_id,
                are_pruned_from_the_oldest,
                the_first_of_two_with_one_id_stays,
                are_seen_at_once_even_if_stored_later,
                are_seen_by_whoever_ran_it,
                of_shared_code_are_of_whoever_ran_it,
                are_pruned_by_whoever_ran_it,
                a_beginning_is_ambiguous_among_the_own_only,
                the_id_of_anothers_changes_nothing_of_it,
                what_is_too_deep_is_left_out,
            ];
            visibility: [
                is_changed_and_told,
                decides_what_is_seen,
                what_is_not_there_cannot_be_shared,
            ];
        }
    };
    ($make:path; $($topic:ident: [$($test:ident),* $(,)?];)*) => {
        $(mod $topic {$(
            #[test]
            fn $test() {
                $crate::contract::run($make, $crate::contract::$topic::$test);
            }
        )*})*
    };
}

pub(crate) use contract;
