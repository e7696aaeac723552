/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of how secrets in command lines are masked: each rule, and similar texts that it must not change. */
#include "sampler/run/mask.h"
#include "tests/unit/lib/tap.h"
#include "tests/unit/lib/texts.h"

/* Returns the masked command line. In a row of the table, '|' separates arguments. */
static const char *masked(const char *patterns, const char *arguments, bool cut)
{
	static char result[512];
	char line[512];
	struct mask mask = {.patterns = text_of(patterns), .cut = cut};
	struct buffer out = BUFFER(result);
	size_t length = strlen(arguments);

	memcpy(line, arguments, length);
	for (size_t i = 0; i < length; i++)
		if (line[i] == '|')
			line[i] = '\0';
	mask_join(&mask, &out, (struct text){line, length});
	return buffer_terminate(&out);
}

static void check_rules(void)
{
	static const struct {
		const char *arguments;
		const char *masked;
	} rows[] = {
		{"", ""},
		{"ls|-l|/tmp", "ls -l /tmp"},
		/* options whose value is the next argument */
		{"x|--password|hunter2|y", "x --password *** y"},
		{"x|--password|a b c|y", "x --password *** y"},
		{"x|--password||y", "x --password  y"},
		{"x|--password|-dash|y", "x --password *** y"},
		{"x|--password|--verbose|y", "x --password --verbose y"},
		{"x|--password", "x --password"},
		{"x|-password|hunter2", "x -password ***"},
		{"x|--db-password|hunter2", "x --db-password ***"},
		{"x|--api-key|abc", "x --api-key ***"},
		{"x|--apikey|abc", "x --apikey ***"},
		{"x|--API_KEY|abc", "x --API_KEY ***"},
		{"x|--client-secret|abc", "x --client-secret ***"},
		{"x|--pass|word", "x --pass ***"},
		{"x|--db-pass|word", "x --db-pass ***"},
		{"x|--passphrase|word", "x --passphrase ***"},
		{"aws|--access-key|abc", "aws --access-key ***"},
		{"az|--account-key|abc|--auth-key|abc", "az --account-key *** --auth-key ***"},
		{"curl|--oauth2-bearer|abc|h", "curl --oauth2-bearer *** h"},
		{"x|--pwd|abc|--db.pwd=abc|-pwd|abc", "x --pwd *** --db.pwd=*** -pwd abc"},
		{"x|Server=h;Uid=me;Pwd=a b;", "x Server=h;Uid=me;Pwd=***"},
		{"env|DB_PWD=abc|MYSQL_PWD=abc|OLDPWD=/x|y", "env DB_PWD=*** MYSQL_PWD=*** OLDPWD=/x y"},
		{"env|DBPASS=abc|smtpPass=abc|Endpoint=h;SharedAccessKey=abc",
			"env DBPASS=*** smtpPass=*** Endpoint=h;SharedAccessKey=***"},
		{"x|--compass=a|--smtppass=b|TOKEN_IS=c|x-pass-word: d",
			"x --compass=a --smtppass=b TOKEN_IS=*** x-pass-word: ***"},
		/* options that only look similar */
		{"x|--max-tokens|256|--max_new_tokens=512|y", "x --max-tokens 256 --max_new_tokens=512 y"},
		{"x|--tokens|25a|--tokens=1,2|TOKENS=12", "x --tokens *** --tokens=*** TOKENS=12"},
		{"x|--token|256|--tokens=", "x --token *** --tokens="},
		{"x264|--pass|1|--pass=2|--pass|12", "x264 --pass 1 --pass=2 --pass ***"},
		{"sh|-c|x264 --pass 1 --pass 12; vllm --max-tokens 9 --password x",
			"sh -c x264 --pass 1 --pass *** vllm --max-tokens 9 --password ***"},
		{"x|--password|1 abc|--tokens|1 abc|--token=1 abc", "x --password *** --tokens *** --token=***"},
		{"sh|-c|--token=1'abc' x --tokens=1\"abc\"", "sh -c --token=*** x --tokens=***"},
		{"psql|--no-password|mydb", "psql --no-password mydb"},
		{"x|--no-reply-password|abc|NO_TOKEN=abc", "x --no-reply-password *** NO_TOKEN=***"},
		{"sox|--low-pass|200|--high-pass=30", "sox --low-pass 200 --high-pass=30"},
		{"wget|--load-cookies|file|--cookies|a=b", "wget --load-cookies file --cookies ***"},
		{"ffmpeg|-pass|2|-passlogfile|x", "ffmpeg -pass 2 -passlogfile x"},
		{"x|--bypass|a|--passes|3|--pass-through|b", "x --bypass a --passes 3 --pass-through b"},
		{"x|--key|abc", "x --key abc"},
		{"x|password|hunter2", "x password hunter2"},
		{"x|-p|8080", "x -p 8080"},
		/* options and variables with '=' */
		{"x|--token=abc|y", "x --token=*** y"},
		{"x|--token=a b|y", "x --token=*** y"},
		/* one word for a shell */
		{"sh|-c|TOKEN=$(echo a b) x", "sh -c TOKEN=*** x"},
		{"sh|-c|TOKEN=\"$(echo \"a b\" c)\" x", "sh -c TOKEN=*** x"},
		{"sh|-c|(TOKEN=abc) x", "sh -c (TOKEN=*** x"},
		{"sh|-c|TOKEN=(a b) x", "sh -c TOKEN=*** x"},
		{"sh|-c|TOKEN='a(b' x", "sh -c TOKEN=*** x"},
		{"bash|-c|bash -c \"TOKEN=\\\"a b\\\" run\"; true", "bash -c bash -c \"TOKEN=*** true"},
		{"bash|-c|mysql --password \\\n abc; true", "bash -c mysql --password \\\n *** true"},
		{"sh|-c|curl -H Authorization:\\ Bearer\\ abc x", "sh -c curl -H Authorization:\\ *** x"},
		{"http|h|Authorization:Bearer abc|y", "http h Authorization:*** y"},
		{"http|h|X-Auth-Token:abc|y", "http h X-Auth-Token:*** y"},
		{"docker|run|my-token:latest", "docker run my-token:latest"},
		{"env|SSHPASS=a|MYSQL_PWD=b|x|-storepass|c|u?sv=1&sig=d",
			"env SSHPASS=*** MYSQL_PWD=*** x -storepass *** u?sv=1&sig=***"},
		{"env|TOKEN=a b|y", "env TOKEN=*** y"},
		{"ssh|h|TOKEN=abc cmd", "ssh h TOKEN=***"},
		{"ssh|h|env TOKEN=abc cmd", "ssh h env TOKEN=*** cmd"},
		{"x|--set=db.password=a b|y", "x --set=db.password=*** y"},
		{"x|--token=|y", "x --token= y"},
		{"x|--token=a=b", "x --token=***"},
		{"env|GITHUB_TOKEN=abc|x", "env GITHUB_TOKEN=*** x"},
		{"env|PGPASSWORD=abc|x", "env PGPASSWORD=*** x"},
		{"env|mysql_passwd=abc|x", "env mysql_passwd=*** x"},
		{"java|-Ddb.password=abc", "java -Ddb.password=***"},
		{"java|-Dspring.api.key=abc", "java -Dspring.api.key=***"},
		{"helm|--set=db.password=abc", "helm --set=db.password=***"},
		{"curl|h/x?a=1&token=abc&b=2", "curl h/x?a=1&token=***"},
		{"x|--tokenizer=gpt2|--tokenize|y", "x --tokenizer=gpt2 --tokenize y"},
		{"x|--tokenizer|gpt2", "x --tokenizer gpt2"},
		{"x|TOKENIZER_TOKEN=abc", "x TOKENIZER_TOKEN=***"},
		{"x|PASS=abc|DB_PASS=abc", "x PASS=*** DB_PASS=***"},
		{"x|PASSES=abc|BYPASS=abc|KEY=abc|API=abc", "x PASSES=abc BYPASS=abc KEY=abc API=abc"},
		{"env|AWS_ACCESS_KEY_ID=abc|x", "env AWS_ACCESS_KEY_ID=*** x"},
		{"sh|-c|export DB_PASS=abc; run", "sh -c export DB_PASS=*** run"},
		{"openssl|-passin|pass:a b|-in|x", "openssl -passin pass:*** -in x"},
		{"sh|-c|openssl -passin pass:abc -in x", "sh -c openssl -passin pass:*** -in x"},
		/* headers, and JSON */
		{"curl|-H|Authorization: Bearer a b|h", "curl -H Authorization: *** h"},
		{"curl|-H|authorization: Basic abc==|h", "curl -H authorization: *** h"},
		{"curl|-HX-Api-Key: abc|h", "curl -HX-Api-Key: *** h"},
		{"curl|--header=Authorization: Bearer abc|h", "curl --header=Authorization: *** h"},
		{"curl|-H|Cookie: a=b; c=d|h", "curl -H Cookie: *** h"},
		{"sh|-c|curl -H \"Authorization: Bearer a\" h", "sh -c curl -H \"Authorization: ***\" h"},
		{"sh|-c|curl -H 'X-Auth-Token: a' h", "sh -c curl -H 'X-Auth-Token: ***' h"},
		{"curl|-d|{\"user\": \"me\", \"password\": \"a b\"}", "curl -d {\"user\": \"me\", \"password\":***"},
		{"curl|-d|{\"token\" : 5}|h", "curl -d {\"token\" :*** h"},
		{"sh|-c|curl -d \"{\\\"password\\\":\\\"a b\\\"}\" h", "sh -c curl -d \"{\\\"password\\\":***"},
		{"git|-c|http.extraheader=AUTHORIZATION: bearer abc|status",
			"git -c http.extraheader=AUTHORIZATION: *** status"},
		{"git|-c|http.extraheader=AUTHORIZATION:bearer abc|status",
			"git -c http.extraheader=AUTHORIZATION:*** status"},
		{"git|-c|http.extraheader=Cookie: a=b; c=d|status", "git -c http.extraheader=Cookie: *** status"},
		{"git|clone|-c|http.extraHeader=Proxy-Authorization: Basic abc==|h",
			"git clone -c http.extraHeader=Proxy-Authorization: *** h"},
		{"ffmpeg|-headers|User-Agent: x Authorization: Bearer abc|h",
			"ffmpeg -headers User-Agent: x Authorization: *** h"},
		{"ffmpeg|-headers|X: y z\r\nAuthorization: Token a b\r\nAccept: c",
			"ffmpeg -headers X: y z\r\nAuthorization: ***\nAccept: c"},
		{"ssh|h|curl -H Authorization: Bearer abc h", "ssh h curl -H Authorization: ***"},
		{"sh|-c|curl -H \"X: y, Authorization: Bearer abc\" h", "sh -c curl -H \"X: y, Authorization: ***"},
		{"sh|-c|git -c 'a=Authorization: Digest u=\"a b\", r=\"c\"' x", "sh -c git -c 'a=Authorization: ***"},
		{"sh|-c|http h Authorization: \"a b\"; true", "sh -c http h Authorization: ***"},
		{"sh|-c|http h X-Auth-Token:a1 y", "sh -c http h X-Auth-Token:*** y"},
		{"curl|-H|Accept: text/html|h", "curl -H Accept: text/html h"},
		{"docker|run|my/secret:latest|token:x", "docker run my/secret:latest token:x"},
		{"sh|-c|echo \"the password\" : x", "sh -c echo \"the password\" :***"},
		{"curl|https://h/x?X-Amz-Signature=abc", "curl https://h/x?X-Amz-Signature=***"},
		{"x|SECRE=abc|ECRET=abc", "x SECRE=abc ECRET=abc"},
		{"x|secrets/file", "x secrets/file"},
		{"x|TOKEN", "x TOKEN"},
		{"x|==|=abc", "x == =abc"},
		/* words within one argument */
		{"sh|-c|TOKEN=abc cmd", "sh -c TOKEN=*** cmd"},
		{"bash|-lc|TOKEN=abc cmd", "bash -lc TOKEN=*** cmd"},
		{"sh|-c|TOKEN='a b' cmd", "sh -c TOKEN=*** cmd"},
		{"sh|-c|TOKEN=\"a \\\" b\" cmd", "sh -c TOKEN=*** cmd"},
		{"sh|-c|TOKEN=a'b c'\"d e\"f cmd", "sh -c TOKEN=*** cmd"},
		{"sh|-c|TOKEN=a\\ b cmd", "sh -c TOKEN=*** cmd"},
		{"sh|-c|TOKEN=\\\"a b\\\" cmd", "sh -c TOKEN=*** cmd"},
		{"sh|-c|env 'TOKEN=a b' cmd", "sh -c env 'TOKEN=***' cmd"},
		{"sh|-c|env 'TOKEN=a b'\"c d\" cmd", "sh -c env 'TOKEN=*** cmd"},
		{"sh|-c|env 'TOKEN=it'\\''s x' cmd", "sh -c env 'TOKEN=*** cmd"},
		{"sh|-c|TOKEN=don't see", "sh -c TOKEN=***"},
		{"sh|-c|a;TOKEN=abc|x", "sh -c a;TOKEN=*** x"},
		{"sh|-c|x --password abc y", "sh -c x --password *** y"},
		{"sh|-c|x --password 'a b' y", "sh -c x --password *** y"},
		{"sh|-c|x '--password' \"a b\" y", "sh -c x '--password' *** y"},
		{"sh|-c|x --token=abc\ny", "sh -c x --token=***\ny"},
		{"sh|-c|x --password|abc", "sh -c x --password ***"},
		/* URLs */
		{"git|clone|https://me:abc@host/x", "git clone https://me:***@host/x"},
		{"x|postgres://me:a:b@c@host:5432/x", "x postgres://me:***@host:5432/x"},
		{"x|--url=redis://:abc@host", "x --url=redis://:***@host"},
		{"x|'https://me:abc@host' y", "x 'https://me:***@host' y"},
		{"x|https://me@host/x", "x https://me@host/x"},
		{"x|postgresql://u:a#b/c?d@h/db", "x postgresql://u:***@h/db"},
		{"x|http://host:80/a?b=c@d", "x http://host:80/a?b=c@d"},
		{"x|http://me:a@host/b?c=d@e", "x http://me:***@host/b?c=d@e"},
		{"x|https://host:80/a@b", "x https://host:80/a@b"},
		{"x|https://host:80", "x https://host:80"},
		{"x|me:abc@host", "x me:abc@host"},
		{"x|https://me:@host", "x https://me:@host"},
		{"x|://", "x ://"},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		(void)is_text(masked("", rows[i].arguments, false), rows[i].masked, rows[i].arguments);
}

static void check_patterns(void)
{
	static const struct {
		const char *patterns;
		const char *arguments;
		const char *masked;
	} rows[] = {
		{"off", "x|--token=abc|https://me:abc@host", "x --token=abc https://me:abc@host"},
		{"offer", "x|--token=abc", "x --token=***"},
		{"AKIA*", "aws|AKIA123|s3", "aws *** s3"},
		{"AKIA*", "sh|-c|aws 'AKIA123' s3", "sh -c aws '***' s3"},
		{"AKIA*", "aws|AKIA123==|AKIA=1|s3", "aws *** AKIA=*** s3"},
		{"AKIA*", "aws|XAKIA123", "aws XAKIA123"},
		{"DB_*,-p", "x|DB_PASS=abc|-p|abc|-q|abc", "x DB_PASS=*** -p *** -q abc"},
		{"pin", "x|--pin|1234|--pin=1234|pin|1234", "x --pin *** --pin=*** *** 1234"},
		{"pin,*tokens", "x|--pin|1|--max-tokens=256", "x --pin *** --max-tokens=***"},
		{",,", "x|y", "x y"},
		{"*", "x|y", "*** ***"},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		(void)is_text(masked(rows[i].patterns, rows[i].arguments, false), rows[i].masked, rows[i].arguments);
}

/* A truncated argument may lack the part that shows that it is a secret. */
static void check_bounds(void)
{
	char small[8];
	struct mask mask = {.patterns = TEXT("")};
	struct buffer out = BUFFER(small);

	(void)is_text(masked("", "x|https://me:ab", true), "x https://me:***", "a password without its '@'");
	(void)is_text(masked("", "x|https://host:80/a", true), "x https://host:80/a", "a port, and a path after it");
	mask_write(&mask, &out, TEXT("abc TOKEN=hunter2"));
	ok(out.full && out.length == 8 && memcmp(small, "abc TOKE", 8) == 0, "a buffer that is too small");
	mask = (struct mask){.patterns = TEXT("")};
	out = (struct buffer){small, 0, 0, false};
	mask_write(&mask, &out, TEXT("x"));
	ok(out.full && out.length == 0, "a buffer of no bytes");
}

int main(void)
{
	check_rules();
	check_patterns();
	check_bounds();
	return done();
}
