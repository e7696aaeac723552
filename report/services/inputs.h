/* How much the run to come is given to read: as sampler/run/make.c has it of a run that starts, but in no hurry, and of
 * files on a network as well. */
#ifndef RTRACK_REPORT_SERVICES_INPUTS_H
#define RTRACK_REPORT_SERVICES_INPUTS_H

/* Of files, directories and globs with line ends or commas between them; UNKNOWN when no file is there. */
double inputs_bytes(const char *named);

#endif
