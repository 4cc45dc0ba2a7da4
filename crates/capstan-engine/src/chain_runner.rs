//! Runs chains on behalf of what is run by chains itself: code, skills and Capstan's own actions.

use capstan_core::port::BoxFuture;
use capstan_exec::{ChainSpec, Watch};

use crate::capability::OnlyKind;
use crate::recorder::CallContext;
use crate::step_result::ChainOutcome;

pub(crate) trait ChainRunner: Sync {
    /// Runs a chain as a part of an execution. With `only`, every step names something of one kind.
    fn run_chain<'a>(
        &'a self,
        spec: &'a ChainSpec,
        only: Option<OnlyKind>,
        watch: Watch<'a>,
        within: CallContext<'a>,
    ) -> BoxFuture<'a, ChainOutcome>;
}
