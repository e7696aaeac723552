/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of report/advice/prices.h: the choice of a server, and of one of its prices. */
#include "report/advice/prices.h"

#include "tests/unit/lib/tap.h"

#include <stdlib.h>

/* -- prices of one server -------------------------------------------------------------------------- */

#define ITEM(region, system, kind, price)                                                                              \
	"{\"region_id\": \"" region "\", \"operating_system\": \"" system "\", \"allocation\": \"" kind                \
	"\", \"unit\": \"hour\", \"price\": " price ", \"currency\": \"USD\"}"

static void prices(void)
{
	static const struct {
		const char *text;
		int result;
		double price;
		const char *what;
	} cases[] = {
		{"[" ITEM("a", "Linux", "ondemand", "1") ", " ITEM("b", "Linux", "ondemand", "2") "]", 0, 2,
			"the price in the server's region"},
		{"[" ITEM("a", "Linux", "ondemand", "1") ", " ITEM("c", "Linux", "ondemand", "2") "]", 0, 1,
			"without that region, the first price"},
		{"[" ITEM("b", "Linux", "spot", "1") ", " ITEM("c", "Linux", "ondemand", "2") "]", 0, 2,
			"a spot price does not count"},
		{"[" ITEM("b", "Windows", "ondemand", "1") "]", 0, UNKNOWN, "a price of another system does not count"},
		{"[" ITEM("b", "Linux", "ondemand", "0") "]", 0, UNKNOWN, "a price of 0 is ignored"},
		{"[" ITEM("b", "Linux", "ondemand", "1e999") "]", 0, UNKNOWN, "an infinite price is ignored"},
		{"[" ITEM("b", "Linux", "ondemand", "\"1\"") "]", 0, UNKNOWN, "a text is not a price"},
		{"[{\"region_id\": \"b\", \"operating_system\": \"Linux\", \"allocation\": \"ondemand\", \"unit\": "
		 "\"month\", "
		 "\"price\": 9}]",
			0, UNKNOWN, "a monthly price is ignored"},
		{"[1, null, [], {}]", 0, UNKNOWN, "items that are not prices"},
		{"[]", 0, UNKNOWN, "none"},
		{"{}", -1, 77, "an object"},
		{"", -1, 77, "nothing"},
		{"[", -1, 77, "half a list"},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		char currency[8];
		double price = 77;
		is_number(prices_read(cases[i].text, strlen(cases[i].text), "b", &price, currency), cases[i].result,
			cases[i].what);
		is_number(price, cases[i].price, "the price in the answer of the service");
	}
}

/* -- choosing -------------------------------------------------------------------------------------- */

static void choose(struct price_choice *choice, const char *rows)
{
	struct catalog_result result;
	char text[1024];

	(void)snprintf(text, sizeof text, "vendor,server,vcpus,memory,gpu,vram,region,price,currency,arch\n%s", rows);
	ok(catalog_read(text, strlen(text), choice_offer, choice, &result) == 0 && result.left_out == 0,
		"the rows are read");
}

static void chosen(void)
{
	static const struct {
		struct resources needs;
		struct price_question question;
		const char *rows;
		const char *best;
	} cases[] = {
		{{2, 512, 0, 0, UNKNOWN, UNKNOWN, 0, 0, 0, false}, {0},
			"v,a,2,512,,,,2,,\nv,b,2,512,,,,1,,\nv,c,2,512,,,,1,,\n", "b"},
		{{2, 512, 0, 0, UNKNOWN, UNKNOWN, 0, 0, 0, false}, {0}, "v,a,1,512,,,,1,,\nv,b,2,511,,,,1,,\n", ""},
		{{UNKNOWN, 512, 0, 0, UNKNOWN, UNKNOWN, 0, 0, 0, false}, {0}, "v,a,1,512,,,,1,,\n", "a"},
		{{2, 512, 1, 1024, UNKNOWN, UNKNOWN, 0, 0, 0, false}, {0},
			"v,a,2,512,1,512,,1,,\nv,b,2,512,,,,1,,\nv,c,2,512,1,1024,,9,,\n", "c"},
		{{2, 512, 0, 0, UNKNOWN, UNKNOWN, 0, 0, 0, false}, {.vendor = "W"},
			"v,a,2,512,,,,1,,\nw,b,2,512,,,,2,,\n", "b"},
		{{2, 512, 0, 0, UNKNOWN, UNKNOWN, 0, 0, 0, false}, {.region = "north"},
			"v,a,2,512,,,south,1,,\nv,b,2,512,,,North,2,,\n", "b"},
		{{2, 512, 0, 0, UNKNOWN, UNKNOWN, 0, 0, 0, false}, {.architecture = "aarch64"},
			"v,a,2,512,,,,1,,amd64\nv,b,2,512,,,,2,,arm64\n", "b"},
		{{2, 512, 0, 0, UNKNOWN, UNKNOWN, 0, 0, 0, false}, {.architecture = "arm64"}, "v,a,2,512,,,,1,,\n", ""},
		{{2, 512, 0, 0, UNKNOWN, UNKNOWN, 0, 0, 0, false}, {0}, "v,a,2,512,,,,2,EUR,\nv,b,2,512,,,,1,USD,\n",
			"a"},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct price_choice choice = {
			.needs = &cases[i].needs, .question = &cases[i].question, .place = {"", "", ""}};
		choose(&choice, cases[i].rows);
		is_text(choice.best.id, cases[i].best, "the cheapest server that fits");
		is_text(choice.here.id, "", "the run's server is unknown");
	}
}

static void where_it_ran(void)
{
	struct resources needs = {1, 128, 0, 0, UNKNOWN, UNKNOWN, 0, 0, 0, false};
	struct price_question question = {.vendor = "none"};
	struct price_choice choice = {.needs = &needs, .question = &question, .place = {"V", "big", "b"}};

	choose(&choice, "w,big,8,512,,,b,1,,\nv,small,8,512,,,b,2,,\nv,big,8,512,,,a,3,,\nv,big,8,512,,,b,4,,\nv,big,8,"
			"512,,,c,5,,\n");
	is_number(choice.here.price, 4, "the price of the run's server in its region, whatever the request");
	is_text(choice.best.id, "", "no other server fits");
}

int main(void)
{
	prices();
	chosen();
	where_it_ran();
	return done();
}
