# SPDX-License-Identifier: Apache-2.0
library(rtrack)

# Without the tracker, the functions have no effect and raise no error.
stopifnot(is.logical(rtrack_mark("a mark")), is.logical(rtrack_flush()))
stopifnot(identical(rtrack_part("adding", sum(1:10)), 55L))
stopifnot(identical(conditionMessage(tryCatch(rtrack_part("failing", stop("mine")), error = identity)), "mine"))

run <- rtrack:::read_json(c("{\"a\": [\"b\\\"c\", \"d\"], \"e\": {\"f\": null, \"g\": 1.5}, \"h\": {}, \"i\": true,",
                            "\"j\": \"\\u00e4\\/\"}"))
stopifnot(identical(run$a, c("b\"c", "d")), is.na(run$e$f), run$e$g == 1.5, length(run$h) == 0, run$i)
stopifnot(identical(run$j, "\u00e4/"))
stopifnot(inherits(try(rtrack:::read_json("{\"a\": "), silent = TRUE), "try-error"))
