/* How much the run to come is given to read; see inputs.h. */
#include "report/services/inputs.h"

#include "os/inputs.h"

double inputs_bytes(const char *named)
{
	return inputs_measure(&(struct inputs_wish){.named = text_of(named), .remote = true});
}
