/* What is counted of a process, whoever counts it: the names by which readings, the ledger, the rows and the records
 * agree. */
#ifndef RTRACK_CORE_FIGURES_H
#define RTRACK_CORE_FIGURES_H

enum counter {
	COUNTER_USER_NS,
	COUNTER_SYSTEM_NS,
	COUNTER_DISK_READ,
	COUNTER_DISK_WRITE,
	COUNTER_READ_CHARS,
	COUNTER_WRITE_CHARS,
	COUNTER_MAJOR_FAULTS,
	COUNTER_COUNT
};

#endif
