#!/usr/bin/env bats
# Tests of the R package rtrack: marks, parts, runs as data frames, and parallel workers of several packages

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/jobs
load ../lib/recipes

setup_file() {
	need Rscript
	cp -r "$BATS_TEST_DIRNAME/../../integrations" "$BATS_FILE_TMPDIR"
	mkdir "$BATS_FILE_TMPDIR/library"
	(
		load ../lib/helper
		load ../lib/recipes
		cd "$BATS_FILE_TMPDIR"
		recipe R sh >command
		R_LIBS=$PWD/library sh -e command >install.log 2>&1
	)
}

setup() {
	need Rscript
	cd "$BATS_TEST_TMPDIR"
	[ -d "$BATS_FILE_TMPDIR/library/rtrack" ] || { cat "$BATS_FILE_TMPDIR/install.log"; return 1; }
	export R_LIBS=$BATS_FILE_TMPDIR/library PATH=$BUILD:$PATH
}

parts() {
	"$BUILD/rtrack-report" show -v "$@" --format json | jq -c '[.parts[] | [.name, .times, .ended]]'
}

@test "R package: the example of docs/integrations.md works" {
	recipe R r >fit.R
	Rscript fit.R >out
	[ "$(json job "$(only_run)/run.json")" = fit.R ]
	grep -qE '^\[1\] [0-9.]+$' out
	[ "$(parts)" = '[["training",1,true],["scoring",4,true]]' ]
	grep -q '<bdi>training</bdi>' page.html
	recipe R sh 2 >commands
	RTRACK_SPOOL=$PWD/second sh -e commands >out
	grep -qE '^Parts +.*scoring [0-9.]+ m?s' out || { cat out; false; }
}

@test "R package: R CMD check finds no problem" {
	cp -r "$PROJECT/integrations/R" rtrack
	R CMD build rtrack >out 2>&1
	# With these settings, R CMD check contacts no server for the time or for packages, and needs only the C locale.
	mkdir -p cran/src/contrib
	: >cran/src/contrib/PACKAGES
	echo "options(repos = c(CRAN = \"file://$PWD/cran\"))" >profile
	LC_ALL=C.UTF-8 _R_CHECK_SYSTEM_CLOCK_=0 R_PROFILE_USER=$PWD/profile R_CRAN_SRC=file:///nowhere R_CRAN_WEB=file:///nowhere \
		R CMD check --no-manual rtrack_*.tar.gz >out 2>&1 || { cat out; false; }
	grep -x 'Status: OK' out || { cat out; false; }
	fails grep https:// out
}

@test "R package: without the library, rtrack_start warns and the script continues" {
	cat >job.R <<-'END'
		library(rtrack)
		assignInNamespace("folders", function() character(), "rtrack")
		stopifnot(is.null(rtrack_start(job = "mine")))
		cat("the end\n")
	END
	Rscript job.R >out 2>err
	[ "$(cat out)" = "the end" ]
	grep -q 'this session is not tracked: cannot find librtrack.so' err || { cat err; false; }
}

@test "R package: rtrack_part records the usage of its code and passes errors on" {
	cat >job.R <<-'END'
		library(rtrack)
		work <- function(seconds) {
		  end <- sum(proc.time()[1:2]) + seconds
		  while (sum(proc.time()[1:2]) < end) sum(as.numeric(seq_len(1e5)))
		}
		work(0.2)
		rtrack_part("fit", { held <- numeric(2e7); held[seq(1, 2e7, 100)] <- 1; work(0.4) })
		stopifnot(inherits(try(rtrack_part("failing", stop("mine")), silent = TRUE), "try-error"))
		stopifnot(identical(rtrack_part("giving", 1:3), 1:3))
	END
	preload Rscript job.R
	[ "$(parts)" = '[["fit",1,true],["failing",1,true],["giving",1,true]]' ]
	"$BUILD/rtrack-report" show --format json | jq -e '.parts[0] | .cpu_seconds > 0.38 and .cpu_seconds < 0.9 and .peak_memory_mib > 150'
}

@test "R package: a second rtrack_start and a start under RTRACK=off have no effect" {
	cat >job.R <<-'END'
		library(rtrack)
		stopifnot(is.null(rtrack_run()))
		run <- rtrack_start(job = "named", interval = 0.5, tags = c(team = "x", of = "y, z"))
		if (Sys.getenv("RTRACK") == "off") {
		  stopifnot(is.null(run), !rtrack_mark("a"))
		} else {
		  stopifnot(dir.exists(run), identical(rtrack_start(job = "other"), run), identical(rtrack_run(), run))
		  stopifnot(!nzchar(Sys.getenv("RTRACK_JOB")), rtrack_mark("a"), rtrack_flush(), rtrack_stop())
		  stopifnot(is.null(rtrack_run()))
		}
	END
	Rscript job.R
	[ "$(jq -c '[.job, .interval, .labels]' "$(only_run)/run.json")" = '["named",0.5,{"team":"x","of":"y, z"}]' ]
	# R itself changes the order of its arguments.
	[ "$(jq -r '.command[1:] | join(" ")' "$(only_run)/run.json")" = "--no-echo --no-restore --file=job.R" ]
	RTRACK_SPOOL=$PWD/none RTRACK=off Rscript job.R
	[ ! -e none ]
}

@test "R package: a run of an R Markdown document is named after the document" {
	need r-cran-knitr
	printf '%s\n' '# A title' '```{r}' 'library(rtrack)' 'run <- rtrack_start()' 'rtrack_part("adding", sum(1:9))' '```' >study.Rmd
	Rscript -e 'knitr::knit("study.Rmd", quiet = TRUE)' >/dev/null
	[ "$(json job "$(only_run)/run.json")" = study.Rmd ]
	[ "$(parts)" = '[["adding",1,true]]' ]
	fails grep -qi warning study.md
	# Quarto is simulated. It lets knitr process a copy of the document, and since version 1.7 a variable has the
	# document's name.
	cp study.Rmd "a study.qmd"
	cp study.Rmd "a study.rmarkdown"
	RTRACK_SPOOL=$PWD/quarto Rscript -e 'knitr::knit("a study.rmarkdown", quiet = TRUE)' >/dev/null
	[ "$(json job quarto/*/run.json)" = "a study.qmd" ]
	RTRACK_SPOOL=$PWD/named QUARTO_DOCUMENT_FILE=other.qmd Rscript -e 'knitr::knit("study.Rmd", quiet = TRUE)' >/dev/null
	[ "$(json job named/*/run.json)" = other.qmd ]
}

@test "R package: parts work in R Markdown documents, and show prints R's command once" {
	need r-cran-rmarkdown
	need pandoc
	printf '%s\n' --- 'title: A study' --- '```{r}' 'rtrack::rtrack_start()' 'rtrack::rtrack_part("adding", sum(1:9))' '```' >study.Rmd
	Rscript -e 'rmarkdown::render("study.Rmd",quiet=TRUE)' >out 2>&1
	[ "$(json job "$(only_run)/run.json")" = study.Rmd ]
	[ "$(parts)" = '[["adding",1,true]]' ]
	fails grep -qi warning out
	"$BUILD/rtrack-report" show -v >out
	[ "$(sed '/^Processes .*Program/,$d' out | grep -c rmarkdown::render)" -eq 1 ]
}

@test "R package: rtrack_read returns data frames, by job name or directory" {
	need r-cran-data.table
	"$BUILD/rtrack-run" --job first --tag a=ä sh -c 'exit 3' || :
	cat >job.R <<-'END'
		library(rtrack)
		run <- rtrack_read("first")
		stopifnot(identical(run, rtrack_read(commandArgs(TRUE)[1])))
		stopifnot(run$run$job == "first", run$run$exit_code == 3, identical(run$run$command, c("sh", "-c", "exit 3")))
		stopifnot(run$run$labels$a == "\u00e4", is.na(run$run$parent))
		stopifnot(is.data.frame(run$process), is.numeric(run$process$memory_mib), "sh -c exit 3" %in% run$start$command)
		tables <- rtrack_read("first", frame = "data.table")
		stopifnot(data.table::is.data.table(tables$process), identical(as.data.frame(tables$process), run$process))
		stopifnot(grepl("no-run", conditionMessage(tryCatch(rtrack_read("no-run"), error = identity))))
	END
	LC_ALL=C.UTF-8 Rscript job.R "$(only_run)"
}

@test "R package: workers of mclapply, PSOCK and callr are recorded" {
	need r-cran-callr
	cat >job.R <<-'END'
		library(parallel)
		work <- function(i) rtrack::rtrack_part("working", sum(as.numeric(seq_len(1e6))))
		invisible(mclapply(1:2, work, mc.cores = 2))
		workers <- makeCluster(2)
		invisible(clusterApply(workers, 1:2, work))
		stopCluster(workers)
		invisible(callr::r(work, list(1)))
	END
	for way in preload launcher; do
		one_way $way Rscript job.R
		[ "$(cat $way.status)" = 0 ] || { cat $way.err; false; }
		[ "$(parts "$(run_of $way)")" = '[["working",5,true]]' ]
	done
}

@test "R package: workers of the package future are recorded, with their parts" {
	need r-cran-future
	cat >job.R <<-'END'
		library(future)
		for (how in list(multicore, multisession)) {
		  plan(how, workers = 2)
		  value(lapply(1:2, function(i) future(rtrack::rtrack_part("working", sum(as.numeric(seq_len(1e6)))))))
		}
		plan(sequential)
	END
	one_way preload Rscript job.R
	[ "$(cat preload.status)" = 0 ] || { cat preload.err; false; }
	[ "$(parts "$(run_of preload)")" = '[["working",4,true]]' ]
}

@test "R package: workers of the package targets are recorded, with their parts" {
	need r-cran-targets
	cat >_targets.R <<-'END'
		list(targets::tar_target(sum, rtrack::rtrack_part("working", sum(1:10))))
	END
	one_way preload Rscript -e 'targets::tar_make()'
	[ "$(parts "$(run_of preload)")" = '[["working",1,true]]' ]
}
