//! The look of drawings, by day and by night. Nothing is loaded from anywhere.

/// Every rule is for this class alone, so that a drawing can stand in a page with others.
pub(super) const CLASS: &str = "capstan-plan";

pub(super) const STYLE: &str = "\
.capstan-plan{--ink:#1f2328;--soft:#59636e;--line:#818b98;--box:#fff;--lane:#f6f8fa;--rim:#d1d9e0;--write:#bc4c00;\
font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}\
@media (prefers-color-scheme:dark){.capstan-plan{--ink:#f0f6fc;--soft:#9198a1;--line:#7d8590;--box:#151b23;\
--lane:#0d1117;--rim:#3d444d;--write:#db6d28}}\
.capstan-plan text{fill:var(--ink);font-size:12px}\
.capstan-plan .title{font-size:14px;font-weight:600}\
.capstan-plan .soft{fill:var(--soft);font-size:11px}\
.capstan-plan .label{fill:var(--soft);font-size:10px;stroke:var(--box);stroke-width:3px;paint-order:stroke}\
.capstan-plan .box{fill:var(--box);stroke:var(--line)}\
.capstan-plan .write{stroke:var(--write);stroke-width:2.5}\
.capstan-plan .maybe{stroke-dasharray:5 3}\
.capstan-plan .lane{fill:var(--lane);stroke:var(--rim)}\
.capstan-plan .edge{fill:none;stroke:var(--line);stroke-width:1.2}\
.capstan-plan .order{stroke-dasharray:4 4}\
.capstan-plan .tip{fill:var(--line)}";
