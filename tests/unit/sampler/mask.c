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

/* Command lines with a secret as users type them: tokens, short options, assignments, URLs. */
static void check_secrets(void)
{
	static const struct {
		const char *arguments;
		const char *masked;
	} rows[] = {
		/* tokens that show by their form that they are secrets */
		{"x|ghp_16C7e42F292c6912E7710c838347Ae178B4a", "x ghp_***"},
		{"x|gho_16C7e42F292c6912E7710c838347Ae178B4a|y", "x gho_*** y"},
		{"x|ghs_16C7e42F292c6912E7710c838347Ae178B4a", "x ghs_***"},
		{"x|-tghp_16C7e42F292c6912E7710c838347Ae178B4a", "x -tghp_***"},
		{"x|github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuv", "x github_pat_***"},
		{"x|glpat-Ab1_cdEfGhIjKlMnOpQr", "x glpat-***"},
		{"x|sk-abcdefghijklmnopqrstuvwx0123456789", "x sk-***"},
		{"x|sk-proj-Ab1_cd-efGhIjKlMnOp", "x sk-proj-***"},
		{"x|sk-ant-api03-Ab1_cd-efGhIjKlMnOp", "x sk-ant-***"},
		{"x|sk_live_4eC39HqLyjWDarjtT1zdp7dc", "x sk_live_***"},
		{"x|xoxb-123456789012-abcdefABCDEF", "x xoxb-***"},
		{"x|xoxp-123456789012-abcdefABCDEF", "x xoxp-***"},
		{"x|hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345", "x hf_***"},
		{"x|AKIAIOSFODNN7EXAMPLE", "x AKIA***"},
		{"x|AIzaSyA1234567890abcdefghijklmnopqrstuv", "x AIza***"},
		{"x|npm_abcdefghijklmnopqrstuvwxyz0123456789", "x npm_***"},
		{"x|eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_9=", "x eyJ***"},
		{"sh|-c|x 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'; y", "sh -c x 'ghp_***'; y"},
		{"x|h?key=AIzaSyA1234567890abcdefghijklmnopqrstuv&a=b", "x h?key=AIza***&a=b"},
		{"x|https://hooks.slack.com/services/T0/B0/abc", "x https://hooks.slack.com/services/***"},
		{"x|https://discord.com/api/webhooks/12345/abc", "x https://discord.com/api/webhooks/***"},
		{"x|https://api.telegram.org/bot12345:abc", "x https://api.telegram.org/bot***"},
		{"x|jdbc:oracle:thin:scott/tiger@h:1521/db", "x jdbc:oracle:thin:***@h:1521/db"},
		/* URLs */
		{"git|clone|https://a94f17c3@github.com/a/b", "git clone https://***@github.com/a/b"},
		{"git|clone|https://correcthorsebatterystaple@h/b", "git clone https://***@h/b"},
		{"pip|install|git+https://a94f17c3@github.com/a/b", "pip install git+https://***@github.com/a/b"},
		{"git|clone|https://a94f17c3:@h/b", "git clone https://***:@h/b"},
		{"git|clone|https://correcthorsebatterystaple:x@h/b", "git clone https://***:***@h/b"},
		{"git|clone|https://ghp_16C7e42F292c6912E7710c838347Ae178B4a@h/b", "git clone https://***@h/b"},
		{"psql|postgresql://me:abc@h:5432/db", "psql postgresql://me:***@h:5432/db"},
		{"psql|host=h user=me password=abc", "psql host=h user=me password=***"},
		{"mongosh|mongodb+srv://me:abc@h/db", "mongosh mongodb+srv://me:***@h/db"},
		{"celery|-b|amqp://me:abc@h//", "celery -b amqp://me:***@h//"},
		{"wget|https://h/x?api_key=abc&b=c", "wget https://h/x?api_key=***"},
		/* assignments in program text */
		{"python3|-c|token = \"abc\"", "python3 -c token = ***"},
		{"python3|-c|import x; token = 'a b'; x.y()", "python3 -c import x; token = *** x.y()"},
		{"python3|-c|password = f\"abc\"", "python3 -c password = ***"},
		{"python3|-c|os.environ[\"API_KEY\"]=\"abc\"", "python3 -c os.environ[\"API_KEY\"]=***"},
		{"python3|-c|os.environ['API_KEY'] = 'abc'; x()", "python3 -c os.environ['API_KEY'] = *** x()"},
		{"sh|-c|python3 -c 'os.environ[\"API_KEY\"]=\"a\"'; x",
			"sh -c python3 -c 'os.environ[\"API_KEY\"]=***"},
		{"bash|-c|a[TOKEN]=abc; x", "bash -c a[TOKEN]=*** x"},
		{"Rscript|-e|token <- \"abc\"", "Rscript -e token <- ***"},
		{"Rscript|-e|x(); token<-'abc'; y()", "Rscript -e x(); token<-*** y()"},
		{"Rscript|-e|Sys.setenv(TOKEN=\"abc\")", "Rscript -e Sys.setenv(TOKEN=***"},
		{"perl|-e|$password = \"abc\"; x()", "perl -e $password = ***"},
		{"sh|-c|echo 'password = abc' >f", "sh -c echo 'password = ***"},
		{"php|-r|$a['password'] => 'abc'; x();", "php -r $a['password'] => ***"},
		/* names and options */
		{"aws|configure|set|aws_secret_access_key|abc|--profile|p",
			"aws configure set aws_secret_access_key *** --profile p"},
		{"sh|-c|aws configure set aws_secret_access_key abc; ls",
			"sh -c aws configure set aws_secret_access_key *** ls"},
		{"npm|config|set|//registry/:_authToken|abc", "npm config set //registry/:_authToken ***"},
		{"git|config|--global|github.token|abc", "git config --global github.token ***"},
		{"x|--auth|abc|y", "x --auth *** y"},
		{"x|--auth=me:abc|y", "x --auth=*** y"},
		{"env|REGISTRY_AUTH=abc|npm|_auth=abc", "env REGISTRY_AUTH=*** npm _auth=***"},
		{"x|--credential|abc|y", "x --credential *** y"},
		{"skopeo|copy|--src-creds|me:abc|a|b", "skopeo copy --src-creds *** a b"},
		{"x|--pw|abc|--db-pw=abc|DB_PW=abc", "x --pw *** --db-pw=*** DB_PW=***"},
		/* short options of known programs */
		{"curl|-u|me:abc|h", "curl -u *** h"},
		{"curl|-ume:abc|h", "curl -u*** h"},
		{"curl|-sSu|me:abc|h", "curl -sSu *** h"},
		{"/usr/bin/curl|-s|-X|POST|-u|me:a b|h", "/usr/bin/curl -s -X POST -u *** h"},
		{"curl|--user|me:abc|--proxy-user|me:abc|h", "curl --user *** --proxy-user *** h"},
		{"curl|-b|session=abc|h", "curl -b *** h"},
		{"sh|-c|curl -A 'a; b' -u me:abc h", "sh -c curl -A 'a; b' -u *** h"},
		{"sh|-c|curl -u 'me:a b' h; x", "sh -c curl -u *** h; x"},
		{"sh|-c|x=$(curl -u\"me:a b\" h)", "sh -c x=$(curl -u*** h)"},
		{"sh|-c|curl '-u' 'me:a b' h; x '-pabc'", "sh -c curl '-u' *** h; x '-pabc'"},
		{"sh|-c|mysql '-pa b' db", "sh -c mysql '-p***' db"},
		{"sudo|nice|curl|-u|me:abc|h", "sudo nice curl -u *** h"},
		{"http|-a|me:abc|h", "http -a *** h"},
		{"mysql|-u|me|-pabc|db", "mysql -u me -p*** db"},
		{"mysqldump|-ume|-p123456|db", "mysqldump -ume -p*** db"},
		{"docker|exec|db|mysql|-uroot|-pabc", "docker exec db mysql -uroot -p***"},
		{"sh|-c|mysql -p'a b' db", "sh -c mysql -p*** db"},
		{"ssh|h|mysql -pa@b! db", "ssh h mysql -p*** db"},
		{"sshpass|-p|abc|ssh|-p|22|h", "sshpass -p *** ssh -p 22 h"},
		{"sshpass|-pabc|scp|-P|22|a|h:", "sshpass -p*** scp -P 22 a h:"},
		{"plink|-pw|abc|h", "plink -pw *** h"},
		{"redis-cli|-h|h|-a|abc|ping", "redis-cli -h h -a *** ping"},
		{"mongodump|-u|me|-p|abc", "mongodump -u me -p ***"},
		{"docker|login|-u|me|-p|abc|h", "docker login -u me -p *** h"},
		{"az|login|--service-principal|-u|id|-p|abc", "az login --service-principal -u id -p ***"},
		{"sqlcmd|-S|h|-U|me|-P|abc", "sqlcmd -S h -U me -P ***"},
		{"ldapsearch|-x|-D|cn=me|-w|abc", "ldapsearch -x -D cn=me -w ***"},
		{"ldapsearch|-xw|abc", "ldapsearch -xw ***"},
		{"smbclient|//h/x|-U|me%abc", "smbclient //h/x -U ***"},
		{"lftp|-u|me,abc|h", "lftp -u *** h"},
		{"mosquitto_pub|-u|me|-P|abc|-t|x", "mosquitto_pub -u me -P *** -t x"},
		{"zip|-P|abc|a.zip|a", "zip -P *** a.zip a"},
		{"unzip|-qP|abc|a.zip", "unzip -qP *** a.zip"},
		{"7z|x|-pabc|a.7z", "7z x -p*** a.7z"},
		{"ipmitool|-U|me|-P|abc|power|status", "ipmitool -U me -P *** power status"},
		{"openssl|enc|-k|abc|-in|x", "openssl enc -k *** -in x"},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		(void)is_text(masked("", rows[i].arguments, false), rows[i].masked, rows[i].arguments);
}

/* Command lines without a secret, which look similar and must be recorded unchanged. */
static void check_ordinary(void)
{
	static const char *const rows[] = {
		"docker|run|-p|8080:80|nginx",
		"docker|run|--name|mysql|-p|3306:3306|mysql:8",
		"ssh|-p|2222|me@host|ls",
		"mkdir|-p|/data/out",
		"cp|-pu|a|b",
		"git|commit|--author|Me <me@host>|-m|x",
		"git|push|-u|origin|main",
		"git|clone|git@github.com:a/b.git",
		"git|clone|ssh://git@github.com/a/b.git",
		"git|clone|ssh://user123@host/a/b.git",
		"git|clone|https://me@bitbucket.org/a/b.git",
		"git|config|--global|user.name|Me",
		"git|config|--get|remote.origin.url",
		"x|--authority|host:80",
		"x|--authors|a,b|--author=me",
		"x|--auth-type|ldap|--auth-mode=login",
		"x|--no-auth|y",
		"x|--credentials-file|/etc/x.json",
		"env|GOOGLE_APPLICATION_CREDENTIALS=/etc/x.json|x",
		"env|SSH_AUTH_SOCK=/tmp/ssh-a1/agent.1|XAUTHORITY=/home/me/.Xauthority|x",
		"conda|run|-n|sk-learn|python3|fit.py",
		"python3|sk-learn-2024-long-experiment-name/fit.py",
		"python3|fit.py|--run|sk-estimator_comparison_on_all_data",
		"python3|-m|hf_transfer|hf_hub_download_all_models.py",
		"hf|download|meta-llama/Llama-3.1-8B",
		"env|npm_config_cache=/tmp/npm_cache_of_the_build|npm|install",
		"x|ghp_data.csv|gho_|ghs_table|glpat-|xoxb-|AKIA.txt",
		"x|eyJ.txt|eyJhbGciOiJIUzI1NiJ9.json",
		"x|AIzawa_masahiro.txt|dapi.log",
		"x|jdbc:oracle:thin:@//host:1521/db",
		"curl|-u|me|h",
		"curl|-u|:|--negotiate|h",
		"curl|-b|cookies.txt|h",
		"curl|-sSL|-o|a.tar.gz|https://host:8443/a.tar.gz",
		"curl|-H|Accept: application/json|https://api.host/v1/items?page=2&size=50",
		"sh|-c|curl -sS https://host/a >b; sort -u b",
		"sh|-c|mongodump -h db; mkdir -p out && cp -p a b",
		"mysql|-h|db|-P|3306|-u|me|-p|mydb",
		"mysql|-u|me|-e|select 1",
		"psql|-p|5432|-U|me|-w|db",
		"redis-cli|-h|h|-p|6379|ping",
		"redis-cli|set|key:1|5",
		"sort|-u|-k|2|a:b",
		"zip|-r|a.zip|a",
		"unzip|-o|a.zip|-d|out",
		"7z|x|a.7z|-oout|-p",
		"openssl|req|-newkey|rsa:2048|-keyout|a.pem|-out|b.pem",
		"openssl|x509|-in|a.pem|-noout",
		"plink|--bfile|a|--pwas|--out|b",
		"plink|-p|22|me@host",
		"bash|-c|set -euo pipefail; ls -l",
		"bash|-c|x=$((a == b)); [ \"$x\" = 1 ]",
		"python3|-c|import os; print(os.environ.get('HOME'))",
		"python3|-c|tokens = text.split(); n = len(tokens)",
		"python3|-c|token = os.environ['X']; key = 5",
		"Rscript|-e|x <- read.csv('a.csv'); y = 3",
		"julia|-p|8|fit.jl",
		"rsync|-aP|a|host:/b",
		"tar|-xpf|a.tar|-C|/data",
		"nextflow|run|main.nf|-profile|slurm|-params-file|p.yml",
		"snakemake|-j|8|--config|a=b|-p",
		"samtools|sort|-@|8|-o|a.bam|b.bam",
		"ffmpeg|-i|a.mp4|-pass|2|-c:v|libx264|b.mp4",
		"srun|-u|-n|4|--cpu-bind=cores|./sim",
		"x|--power|5|--pwm=3|--pw-size|2",
		"http|GET|host/a|a:b",
		"aws|configure|set|region|eu-west-1",
		"aws|s3|cp|s3://bucket/a|/data/a",
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char line[512];
		size_t length = strlen(rows[i]);
		for (size_t j = 0; j <= length; j++)
			line[j] = rows[i][j] == '|' ? ' ' : rows[i][j];
		(void)is_text(masked("", rows[i], false), line, rows[i]);
	}
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
	check_secrets();
	check_ordinary();
	check_patterns();
	check_bounds();
	return done();
}
