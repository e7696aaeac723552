# Small root directories for containers: programs with their libraries, and nothing else.

# put_program ROOT PROGRAM [PATH]: copies a program of this machine with its libraries, to PATH in the root.
put_program() {
	local file
	mkdir -p "$1/$(dirname "${3:-$2}")"
	cp "$2" "$1/${3:-$2}"
	for file in $(ldd "$2" 2>/dev/null | grep -o '/[^ )]*' | sort -u); do
		mkdir -p "$1/$(dirname "$file")"
		cp "$file" "$1/$file"
	done
}

# make_root ROOT glibc|musl|bare: makes a root with a shell of that C library, or without one (bare). Each has /bin/burn.
make_root() {
	local root=$1 program
	mkdir -p "$root"/{bin,tmp,proc,dev,etc,spool,usr/local}
	echo 'root:x:0:0::/:/bin/sh' >"$root/etc/passwd"
	case $2 in
	glibc)
		for program in sh sleep cp; do
			put_program "$root" "/bin/$program"
		done
		put_program "$root" "$(victim burn)" /bin/burn
		;;
	bare) put_program "$root" "$(victim burn)" /bin/burn ;;
	musl)
		mkdir -p "$root/lib"
		cp -L /lib/ld-musl-*.so.1 "$root/lib"
		cp "$(victim burn musl-gcc)" "$root/bin/burn"
		;;
	esac
}
