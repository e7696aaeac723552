# Recipes of docs/integrations.md, which tests run unchanged

# recipe HEADING LANGUAGE [N]: prints the Nth (default: first) block in that language below a heading, with the library of
# this build.
recipe() {
	awk -v heading="## $1" -v fence="\`\`\`$2" -v wanted="${3:-1}" '
		/^## / { inside = $0 == heading; next }
		inside && $0 == fence { block++; next }
		/^```/ { if (block == wanted) exit; next }
		inside && block == wanted
	' "$PROJECT/docs/integrations.md" | sed "s|/usr/local/lib/librtrack.so|$LIBRARY|g" | grep .
}
