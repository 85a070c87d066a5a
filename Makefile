# `make help` lists the targets. Tools that are not on PATH are built once into .tools; nothing else is installed but
# the Debian packages that are missing, and that is said before it happens.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help demo build test kernels drill bench headline sizes ablations parts gallery audit lint tools packages clean

# What cgo needs: a C compiler and OpenBLAS.
PACKAGES := gcc libc6-dev libopenblas-dev

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: tools build ## distil a small teacher on this machine, from nothing to a report
	bin/epb dev up
	bin/epb start --config examples/demo.yaml --wait
	bin/epb report --latest

# The commit that goes into the programs, with +dirty if the tree differs from it; empty where there is no repository.
COMMIT = $(shell git rev-parse --short=12 HEAD 2>/dev/null)$(if $(shell git status --porcelain 2>/dev/null),+dirty)
STAMP = -ldflags "-X github.com/epb-nco/epb/internal/version.stamp=$(COMMIT)"

build: packages ## build bin/epb, bin/epb-worker and bin/epb-solver
	@infra/progress.sh epb 200 'packages compiled' '^[^# ]+$$' go build -v $(STAMP) -o bin/epb ./starter
	@infra/progress.sh epb-worker 10 'packages compiled' '^[^# ]+$$' go build -v $(STAMP) -o bin/epb-worker ./worker
	@CGO_ENABLED=0 go build -ldflags "-s -w" -o bin/epb-solver ./starter/solver

test: tools packages ## vet, then all tests, with real servers
	@infra/modules.sh
	go vet ./...
	go test -p 2 -timeout 40m ./...

kernels: packages ## the tests of the numeric packages under every family of OpenBLAS kernels that this CPU runs
	@infra/kernels.sh

drill: tools packages ## faults of every kind, done to runs with real servers: make drill [DRILL=regexp]
	go -C worker test -v -count=1 -timeout 3h -run '^TestDrills$$' -drills '$(or $(DRILL),.)'

bench: tools packages ## run the benchmarks: make bench [BENCH=regexp] [COUNT=n]
	go test -run '^$$' -bench '$(or $(BENCH),.)' -benchmem -count $(or $(COUNT),1) -timeout 60m ./...

# What a target cannot do without is asked for before anything is built.
need = $(if $(and $(filter $(2),$(MAKECMDGOALS)),$(if $(strip $($(1))),,none)),\
  $(error $(1) is missing: make $(filter $(2),$(MAKECMDGOALS)) $(1)=path))
$(call need,TEACHER,sizes ablations parts)
$(call need,TEACHERS,headline gallery)

headline: tools build ## local rules against all they are measured by: make headline TEACHERS=folder [NAMES="tsp_50"]
	infra/headline.sh '$(TEACHERS)' $(NAMES)

sizes: tools build ## how small an explanation may be: make sizes TEACHER=path [NODES=20]
	infra/sizes.sh '$(TEACHER)' $(or $(NODES),20)

ablations: tools build ## the paper's ablations: make ablations TEACHER=path [NODES=20] [SEEDS="1 2 3"]
	infra/ablations.sh '$(TEACHER)' $(or $(NODES),20) $(SEEDS)

parts: tools build ## what each part of the method is worth: make parts TEACHER=path [NODES=20] [SEEDS="1 2 3"]
	infra/parts.sh '$(TEACHER)' $(or $(NODES),20) $(SEEDS)

gallery: tools build ## a trained router for every gallery bank: make gallery TEACHERS=folder
	infra/gallery.sh '$(TEACHERS)'

audit: tools build ## look at pages in a headless browser: make audit [CHROME=path] [PAGES="a.html=STUDENT b.html"]
	@infra/audit.sh $(PAGES)

# A path with a folder that is a module of its own (infra/tools) is no part of ./..., so gofmt is told what to read.
lint: packages ## gofmt, vet, staticcheck, Temporal's determinism check for the workflows, long lines and doc comments
	@unformatted=$$(git ls-files -co --exclude-standard '*.go' | xargs gofmt -l); \
	  [ -z "$$unformatted" ] || { echo "not gofmt'ed:"; echo "$$unformatted"; exit 1; }
	go vet ./...
	go tool -modfile=infra/tools/lint/go.mod staticcheck ./...
	go tool -modfile=infra/tools/lint/go.mod workflowcheck -config infra/tools/lint/workflowcheck.yaml ./workflows/...
	@infra/lint.sh

tools: ## put temporal, minio and tinygo into .tools/bin: from PATH where fit, else built from their pinned modules
	@PACKAGES='$(PACKAGES)' infra/tools/install.sh temporal tinygo minio

packages:
	@infra/packages.sh $(PACKAGES)

clean: ## remove what was built, but neither tools nor the data of the dev stack
	rm -rf bin
	go clean -testcache
