/* The engines that SQL is written for: a row each of what they call things.
 *
 * A text with a '@' is a pattern, in which each '@' stands for what it is about. Files are read whole and taken apart
 * by the engine's functions for texts, and not by its reader of CSV: that one spends 2 ms on each file (measured with
 * DuckDB 2.0, ten times as much as this takes), takes a torn last line for a row, and gives up a file with bytes that
 * are no UTF-8. */
#ifndef RTRACK_REPORT_FLEET_ENGINE_H
#define RTRACK_REPORT_FLEET_ENGINE_H

#include "report/fleet/place.h"

#include <stdio.h>

enum sql_type { SQL_TEXT, SQL_NUMBER, SQL_WHOLE, SQL_TIME, SQL_MAP, SQL_JSON, SQL_DATE, SQL_YES_NO, SQL_TYPES };

struct engine {
	const char *name;                /* as the command line has it */
	const char *types[SQL_TYPES];    /* their names */
	const char *reads[SQL_TYPES];    /* such a value out of a text: of a cell without quotes, or of run.json */
	const char *unquote;             /* a text out of a cell that may be quoted */
	const char *nothing, *empty_map; /* an unknown value of a type @; a map cannot be unknown everywhere */
	const char *key, *key_separator; /* begins the text of a key of run.json; between the parts of its path */
	const char *key_end;             /* ends it */
	/* Reads run.json once for all keys @, which then are the list `object` (measured with DuckDB: a third of the
	 * time of one after another). NULL: a key's text reads it by itself. */
	const char *keys;
	const char *cell; /* of a row, by its column @ */
	const char *split,
		*split_quoted; /* a line into cells that may be quoted: where no text may hold a comma, and any line */
	const char *lines;     /* from files to rows: the columns run, head and line */
	const char *date;      /* of a run, by its id */
	const char *files, *files_end; /* around a pattern of files: the columns run and content */
	const char *files_begin_with;  /* and their path begins with … */
	/* Around a file of rows_write, and what stands for each column @ in between; NULL: such files are not read. */
	const char *rows, *rows_column, *rows_end;
	const char *is_object;                                  /* whether content is a JSON object */
	const char *totals;                                     /* the totals in the content of a run's digest */
	const char *parquet, *parquet_end, *parquet_begin_with; /* the same of Parquet; in the end @ is its columns */
	const char *bucket;                                     /* in place of `parquet`, behind a URL */
	/* Around a pattern of files that `ship` put there; bucket_files_group follows the condition on their path. */
	const char *bucket_files, *bucket_files_end, *bucket_files_group;
	/* Before the pattern of files that @, a text of SQL, is about: that text, or one without rows if there are
	 * none, for the engine fails where a pattern matches nothing. NULL: it does not. */
	const char *if_there;
	const char *union_all;    /* with what Parquet lacks as unknown */
	const char *wall_seconds; /* of a row of runs */
	bool parquet_typed; /* Parquet is read as columns that are named with their types, `date` not among them */
	bool escapes;       /* in a text, '\' is an escape */
};

/* The engine of that name, which is one; NULL is the first. */
const struct engine *engine_find(const char *name);

/* Why the engine cannot be told of a place, or NULL. */
const char *engine_refuses(const struct engine *engine, const struct place *place);

/* Writes a pattern with each '@' replaced. */
void engine_write(FILE *out, const char *pattern, const char *value);

/* Writes `text` and `rest` as one text of SQL. */
void engine_quote(FILE *out, const struct engine *engine, const char *text, const char *rest);

/* Writes the same as a pattern of files, in which of `text` whatever means more than itself is a '?'. Returns whether
 * there was such a thing, so that the pattern is met by other files as well. */
bool engine_quote_files(FILE *out, const struct engine *engine, const char *text, const char *rest);

#endif
