# An ordinary small data job: makes measurements, fits models to parts of them in parallel, sorts a file with another
# program, and prints a table. It uses base R only.
#
#   LD_PRELOAD=/usr/local/lib/librtrack.so Rscript examples/job.R

set.seed(1)
rows <- 400000
sites <- 24

measured <- data.frame(
	site = sample(sites, rows, replace = TRUE),
	hour = runif(rows, 0, 24),
	temperature = rnorm(rows, 12, 6)
)
measured$load <- with(measured,
	40 + 2 * sin(hour / 24 * 2 * pi) + 0.8 * pmax(18 - temperature, 0) + site / 3 + rnorm(rows))

# One child process fits each part, two at a time.
fit_site <- function(site) {
	part <- measured[measured$site == site, ]
	model <- lm(load ~ poly(hour, 4) + pmax(18 - temperature, 0), data = part)
	again <- replicate(25, {
		drawn <- part[sample(nrow(part), replace = TRUE), ]
		coef(lm(load ~ poly(hour, 4) + pmax(18 - temperature, 0), data = drawn))[["pmax(18 - temperature, 0)"]]
	})
	data.frame(site = site, heating = coef(model)[["pmax(18 - temperature, 0)"]], error = sd(again))
}
fits <- do.call(rbind, parallel::mclapply(seq_len(sites), fit_site, mc.cores = 2))

# Another program sorts a file.
unsorted <- tempfile(fileext = ".csv")
sorted <- tempfile(fileext = ".csv")
write.csv(measured[seq_len(100000), ], unsorted, row.names = FALSE)
stopifnot(system(paste("sort -t, -k4,4n", shQuote(unsorted), ">", shQuote(sorted))) == 0)
cat(sprintf("%d measurements, %d lines sorted\n", rows, length(readLines(sorted))))

# This matrix is needed only for a moment. It is the peak of this job.
design <- model.matrix(load ~ factor(site) + hour + temperature, data = measured)
whole <- solve(crossprod(design), crossprod(design, measured$load))
cat(sprintf("%d effects over all sites\n", length(whole)))

fits <- fits[order(fits$heating), ]
print(head(format(fits, digits = 4), 5), row.names = FALSE)
