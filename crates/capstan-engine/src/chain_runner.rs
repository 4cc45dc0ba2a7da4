//! The interface through which code, skills and Capstan's own actions run chains. It breaks the cycle between them
//! and the runner of chains, which runs them.

use capstan_core::port::BoxFuture;
use capstan_exec::{ChainSpec, Watch};

use crate::capability::OnlyKind;
use crate::recorder::CallContext;
use crate::step_result::ChainOutcome;

pub(crate) trait ChainRunner: Sync {
    /// Runs a chain as a part of an execution. With `only`, every step must name a capability of that kind.
    fn run_chain<'a>(
        &'a self,
        spec: &'a ChainSpec,
        only: Option<OnlyKind>,
        watch: Watch<'a>,
        context: CallContext<'a>,
    ) -> BoxFuture<'a, ChainOutcome>;
}
