# Two commands: `make demo` shows the product at work, `make test` runs everything that CI runs.

CARGO ?= cargo
# The real gh, from its package for Python: a plain binary, kept inside the project.
GH_VERSION := 2.103.3
GH := .tools/gh
# A public MCP server, for the tests of downstream servers.
MCP_EVERYTHING := .tools/mcp-everything/package-lock.json
# What the tests of graph algorithms compare with.
ORACLES := .tools/oracles/requirements.txt
# A client that reads the skills that are served over MCP.
SKILLS_CLIENT := .tools/skills-client/requirements.txt
# The compiler that checks the declarations of `capstan types`.
TYPESCRIPT := .tools/typescript/package-lock.json
# GitHub's description of its REST API, from which most of the catalogue is generated.
OPENAPI := .tools/openapi/package-lock.json
DESCRIPTION := .tools/openapi/node_modules/@octokit/openapi/generated/api.github.com.json
# Public descriptions of services, which the tests import.
SERVICES := .tools/services/package-lock.json
# The clients that `make clients` runs, and the server that it gives them.
CLIENTS := .tools/clients/package-lock.json
CAPSTAN ?= target/release/capstan
FUZZ_SECONDS ?= 300
export CAPSTAN_GH := $(CURDIR)/$(GH)

.PHONY: help demo test tools fmt lint unit doc races schema schema-check catalogue catalogue-check \
	sim-examples sim-examples-check ranges bench clients fuzz clean

help:
	@echo "make demo          a short tour, offline"
	@echo "make test          format, lints, all tests (installs what they need into .tools)"
	@echo "make races         resume runs of skills a thousand times at once, killing some (many minutes)"
	@echo "make bench         start-up time, batches and chains, side by side with gh; search and graph"
	@echo "make clients       what models receive from Claude Code and Codex, with a built capstan (installs 800 MB)"
	@echo "make fuzz          fuzz lines in gh's words for FUZZ_SECONDS (installs cargo-fuzz)"
	@echo "make schema        regenerate the pinned GitHub schema from its package"
	@echo "make catalogue     regenerate the catalogue of GitHub's operations and mutations, and show what changed"
	@echo "make ranges        ask npm's semver again which versions ranges allow, for the tests"
	@echo "make sim-examples  regenerate the simulator's answers to documented REST operations"
	@echo "make schema-check  show how the committed schema differs from its package"
	@echo "make catalogue-check  show how the committed catalogue differs from what is generated"

# gh makes the tour longer by one route; without a network it is left out.
demo:
	@echo "building capstan (a few minutes the first time) ..."
	@$(MAKE) --no-print-directory tools >/dev/null 2>&1 || true
	$(CARGO) build --package capstan-cli
	@target/debug/capstan demo
	@echo "  (the binary is target/debug/capstan; 'cargo install --path crates/capstan-cli' puts it on your path)"

test: tools fmt lint doc unit

fmt:
	$(CARGO) fmt --all --check

lint:
	$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings

unit:
	@if $(CARGO) nextest --version >/dev/null 2>&1; then \
		$(CARGO) nextest run --workspace; \
	else \
		$(CARGO) test --workspace --lib --bins --tests; \
	fi

races:
	$(CARGO) test --package capstan-cli --test it --quiet -- --ignored --nocapture raced_resumes

doc:
	$(CARGO) test --workspace --doc --quiet

tools: $(GH) $(MCP_EVERYTHING) $(ORACLES) $(SKILLS_CLIENT) $(TYPESCRIPT) $(OPENAPI) $(SERVICES)

$(GH):
	@tools/install-gh.sh $(GH_VERSION) $(GH)

$(MCP_EVERYTHING): tools/mcp-everything/package-lock.json
	@tools/install-mcp-everything.sh .tools/mcp-everything
	@touch $@

$(ORACLES): tools/oracles/requirements.txt
	@tools/install-oracles.sh .tools/oracles
	@touch $@

$(SKILLS_CLIENT): tools/skills-client/requirements.txt
	@tools/install-skills-client.sh .tools/skills-client
	@touch $@

$(TYPESCRIPT): tools/typescript/package-lock.json
	@tools/install-typescript.sh .tools/typescript
	@touch $@

$(OPENAPI): tools/openapi/package-lock.json
	@tools/install-openapi.sh .tools/openapi
	@touch $@

$(SERVICES): tools/services/package-lock.json
	@tools/install-services.sh .tools/services
	@touch $@

bench: tools
	$(CARGO) build --release --quiet --package capstan-cli
	hyperfine --warmup 5 --runs 50 -N 'target/release/capstan explain issue.view' '$(GH) --version'
	$(CARGO) bench --quiet --package capstan-graphql --bench merge
	$(CARGO) bench --quiet --package capstan-cli --bench chain
	$(CARGO) bench --quiet --package capstan-sandbox --bench sandbox
	$(CARGO) bench --quiet --package capstan-search --bench memory
	$(CARGO) bench --quiet --package capstan-graph --bench memory
	$(CARGO) run --release --quiet --package capstan-bench -- search
	$(CARGO) run --release --quiet --package capstan-bench -- mcp

# Coverage needs flags that a stable compiler takes only so.
fuzz:
	$(CARGO) fuzz --version >/dev/null 2>&1 || $(CARGO) install cargo-fuzz --locked
	mkdir -p fuzz/corpus/lines
	RUSTC_BOOTSTRAP=1 $(CARGO) fuzz run lines fuzz/corpus/lines fuzz/seeds/lines -- -max_total_time=$(FUZZ_SECONDS) -max_len=600

clients: $(CLIENTS)
	@node tools/clients/run.mjs --self-test --tools .tools/clients
	@node tools/clients/run.mjs --tools .tools/clients --capstan $(CAPSTAN)

$(CLIENTS): tools/clients/package-lock.json
	@tools/install-clients.sh .tools/clients
	@touch $@

schema:
	npm ci --prefix tools/schema --ignore-scripts --no-audit --no-fund --silent
	node tools/schema/generate.mjs

schema-check:
	npm ci --prefix tools/schema --ignore-scripts --no-audit --no-fund --silent
	npm test --prefix tools/schema --silent
	node tools/schema/generate.mjs --check

sim-examples:
	npm ci --prefix tools/sim-examples --ignore-scripts --no-audit --no-fund --silent
	node tools/sim-examples/generate.mjs

sim-examples-check:
	npm ci --prefix tools/sim-examples --ignore-scripts --no-audit --no-fund --silent
	npm test --prefix tools/sim-examples --silent
	node tools/sim-examples/generate.mjs --check

catalogue: $(OPENAPI)
	$(CARGO) run --quiet --package capstan-generator -- write $(DESCRIPTION)

catalogue-check: $(OPENAPI)
	$(CARGO) run --quiet --package capstan-generator -- check $(DESCRIPTION)
	$(CARGO) run --quiet --package capstan-generator -- support

ranges:
	npm ci --prefix tools/semver --ignore-scripts --no-audit --no-fund --silent
	node tools/semver/generate.mjs

clean:
	$(CARGO) clean
	rm -rf .tools
