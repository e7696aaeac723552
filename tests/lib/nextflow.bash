# Nextflow from Maven Central. Its jars need access to Java packages that newer versions of Java closed.

needs_nextflow() {
	need mvn java
	jars nextflow io.nextflow:nextflow:23.10.1
}

# TieredStopAtLevel=1 limits the compiler, which would otherwise take half of the CPU time of such short runs.
nextflow() {
	local opens=() package
	for package in lang io nio net util util.regex util.concurrent util.concurrent.atomic util.concurrent.locks; do
		opens+=("--add-opens=java.base/java.$package=ALL-UNNAMED")
	done
	HOME=$PWD NXF_HOME=$PWD/home NXF_OFFLINE=true NXF_DISABLE_CHECK_LATEST=true java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "${opens[@]}" \
		--add-opens=java.base/sun.nio.ch=ALL-UNNAMED --add-opens=java.base/sun.nio.fs=ALL-UNNAMED \
		-cp "$JARS/*" nextflow.cli.Launcher -log "$PWD/log" "$@"
}
