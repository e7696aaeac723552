/* cloud{} is added to run.json once, and nothing else of it changes. */
#include "sampler/run/cloud.h"
#include "sampler/run/make.h"

#include "tests/unit/lib/scratch.h"
#include "tests/unit/lib/tap.h"

#include <stdlib.h>

#define BEFORE "{\n  \"schema\": 1,\n  \"server\": {\n    \"vcpus\": 2\n  },"
#define AFTER "\n  \"tracker\": {\n    \"version\": \"0.1.0\"\n  }\n}\n"

static const char *run_json(void)
{
	static char text[4096];
	char path[4096];

	snprintf(path, sizeof path, "%s/run.json", scratch_directory());
	FILE *file = fopen(path, "r");
	if (!file)
		return NULL;
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	fclose(file);
	return text;
}

int main(void)
{
	struct run_cloud aws = {TEXT("aws"), TEXT("m5.large"), TEXT("")};
	struct run_cloud other = {TEXT("gcp"), TEXT(""), TEXT("europe-west1")};
	const char *added = BEFORE "\n  \"cloud\": {\n    \"vendor\": \"aws\",\n    \"instance_type\": \"m5.large\",\n"
				   "    \"region\": null\n  }," AFTER;

	ok(run_add_cloud(scratch_directory(), &aws) < 0, "there is no run.json");
	scratch_write("run.json", BEFORE AFTER);
	ok(run_add_cloud(scratch_directory(), &aws) == 0, "a cloud is added");
	is_text(run_json(), added, "  before the tracker, and nothing else changes");
	ok(run_add_cloud(scratch_directory(), &other) < 0, "it is not added again");
	is_text(run_json(), added, "  and what is there stays");
	scratch_write("run.json", BEFORE "\n");
	ok(run_add_cloud(scratch_directory(), &aws) < 0, "a run.json without its place for it");
	is_text(run_json(), BEFORE "\n", "  stays as it is");
	ok(run_add_cloud("/nowhere", &aws) < 0, "there is no run");
	return done();
}
