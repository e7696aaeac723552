/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that the cloud is added to run.json once, and that nothing else in the file changes. */
#include "sampler/run/cloud.h"
#include "sampler/run/make.h"

#include "tests/unit/lib/fake_os.h"
#include "tests/unit/lib/tap.h"

#define BEFORE "{\n  \"schema\": 1,\n  \"server\": {\n    \"vcpus\": 2\n  },"
#define AFTER "\n  \"tracker\": {\n    \"version\": \"0.1.0\"\n  }\n}\n"

#define RUN "/spool/run"
#define FILE_OF_RUN RUN "/run.json"

int main(void)
{
	struct run_cloud aws = {TEXT("aws"), TEXT("m5.large"), TEXT("")};
	struct run_cloud other = {TEXT("gcp"), TEXT(""), TEXT("europe-west1")};
	const char *added = BEFORE "\n  \"cloud\": {\n    \"vendor\": \"aws\",\n    \"instance_type\": \"m5.large\",\n"
				   "    \"region\": null\n  }," AFTER;

	fake_reset();
	fake_directory(RUN);
	ok(run_add_cloud(RUN, &aws) < 0, "a missing run.json");
	fake_write(FILE_OF_RUN, BEFORE AFTER);
	ok(run_add_cloud(RUN, &aws) == 0, "a cloud is added");
	is_text(fake_read(FILE_OF_RUN), added, "  it is before the tracker, and nothing else changes");
	ok(run_add_cloud(RUN, &other) < 0, "a cloud cannot be added a second time");
	is_text(fake_read(FILE_OF_RUN), added, "  the existing cloud stays");
	fake_write(FILE_OF_RUN, BEFORE "\n");
	ok(run_add_cloud(RUN, &aws) < 0, "a run.json without a place for the cloud");
	is_text(fake_read(FILE_OF_RUN), BEFORE "\n", "  it is unchanged");
	ok(run_add_cloud("/nowhere", &aws) < 0, "a missing run");
	fake_reset();
	return done();
}
