//! The fault matrix: every cell gives what `matrix.txt` says.

use capstan_core::Route;

use super::cell::Cell;
use super::table::{Table, run_all};

#[tokio::test]
async fn faults_on_graphql_give_what_the_table_says() {
    check(Route::Graphql).await;
}

#[tokio::test]
async fn faults_on_rest_give_what_the_table_says() {
    check(Route::Rest).await;
}

#[tokio::test]
async fn faults_behind_gh_give_what_the_table_says() {
    check(Route::Cli).await;
}

#[test]
fn the_matrix_has_a_row_for_each_cell() {
    table().covers(Cell::all().iter().map(ToString::to_string));
}

async fn check(route: Route) {
    let cells = Cell::all().into_iter().filter(|cell| cell.route == route);
    let cells = cells.map(|cell| (cell.to_string(), cell.hangs(), cell));
    let seen = run_all(cells.collect(), Cell::prepare, |(cell, bench)| async move {
        Cell::run(cell, &bench).await.to_string()
    });
    table().compare(seen.await);
}

fn table() -> Table {
    Table::parse(include_str!("matrix.txt"))
}
