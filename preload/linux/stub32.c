/* What a program of 32 bits is given in the place of the library: nothing, so that its loader does not complain.
 *
 * It is seen from outside, as a static program is. glibc's loader puts "i686" or "x86_64" and the like where a path in
 * LD_PRELOAD says $PLATFORM; the directory rtrack beside the library has one for each (see the Makefile). musl's takes
 * the path as it stands, and finds a directory of that name. */
typedef int nothing;
