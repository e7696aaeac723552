/* SPDX-License-Identifier: Apache-2.0 */
/* The table of programs and their options for secrets. */
#include "sampler/run/secret_options.h"

/* An option may end in one of these characters:
 *
 *   : = % ,   only a value that contains the character is a secret: the USER:PASSWORD of curl -u
 *   +         the value is in the same word (mysql -pSECRET); the next word is something else
 *   .         the value is the next word
 *   *         without an option: a name without dashes and its value follow
 *
 * A program without options ends the options of a program before it: in `sshpass -p SECRET ssh -p 22`, 22 is a port.
 * The arrays hold the texts themselves, because pointers would need relocations in every process that loads the
 * library. */
static const struct {
	char name[16];
	char options[40];
} programs[] = {
	{"curl", "-u: -U: -b= --user: --proxy-user:"},
	{"http", "-a:"},
	{"https", "-a:"},
	{"xh", "-a:"},
	{"ab", "-A: -P:"},
	{"hey", "-a:"},
	{"lftp", "-u,"},
	{"ncftpget", "-p"},
	{"ncftpput", "-p"},
	{"smbclient", "-U%"},
	{"rpcclient", "-U%"},
	{"sshpass", "-p"},
	{"plink", "-pw."},
	{"pscp", "-pw."},
	{"psftp", "-pw."},
	{"ssh-keygen", "-N -P"},
	{"mysql", "-p+"},
	{"mysqladmin", "-p+"},
	{"mysqlcheck", "-p+"},
	{"mysqldump", "-p+"},
	{"mysqlimport", "-p+"},
	{"mysqlsh", "-p+"},
	{"mysqlslap", "-p+"},
	{"mariadb", "-p+"},
	{"mariadb-admin", "-p+"},
	{"mariadb-dump", "-p+"},
	{"mycli", "-p+"},
	{"mongo", "-p"},
	{"mongosh", "-p"},
	{"mongodump", "-p"},
	{"mongoexport", "-p"},
	{"mongoimport", "-p"},
	{"mongorestore", "-p"},
	{"redis-cli", "-a"},
	{"redis-benchmark", "-a"},
	{"valkey-cli", "-a"},
	{"cqlsh", "-p"},
	{"beeline", "-p"},
	{"sqlcmd", "-P"},
	{"bcp", "-P"},
	{"tsql", "-P"},
	{"ldapadd", "-w"},
	{"ldapdelete", "-w"},
	{"ldapmodify", "-w"},
	{"ldappasswd", "-w -a -s"},
	{"ldapsearch", "-w"},
	{"ldapwhoami", "-w"},
	{"mosquitto_pub", "-P"},
	{"mosquitto_sub", "-P"},
	{"ipmitool", "-P"},
	{"snmpget", "-A -X -c"},
	{"snmpset", "-A -X -c"},
	{"snmpwalk", "-A -X -c"},
	{"rdesktop", "-p"},
	{"zip", "-P"},
	{"unzip", "-P"},
	{"7z", "-p+"},
	{"7za", "-p+"},
	{"7zz", "-p+"},
	{"rar", "-p+ -hp+"},
	{"unrar", "-p+"},
	{"openssl", "-k. -K. -hmac."},
	{"login", "-p"}, /* subcommand of docker, podman, az and oc */
	{"set", "*"},    /* subcommand: aws configure set, npm config set */
	{"config", "*"}, /* subcommand: git config, poetry config */
	{"ssh", ""},
	{"scp", ""},
	{"sftp", ""},
	{"rsync", ""},
};

unsigned secret_program(struct text name)
{
	for (unsigned i = 0; i < ARRAY_LENGTH(programs); i++)
		if (name.data[0] == programs[i].name[0] && text_is(name, programs[i].name))
			return i + 1;
	return 0;
}

/* Returns whether the word consists of one-letter options without values, followed by this option. For example, -su
 * means -s -u. */
static bool is_bundle(struct text word, struct text option)
{
	if (option.length != 2 || option.data[1] == '-' || word.length > 6 ||
		word.data[word.length - 1] != option.data[1])
		return false;
	for (size_t i = 1; i < word.length; i++)
		if ((uint8_t)((word.data[i] | 0x20) - 'a') >= 26)
			return false;
	return true;
}

struct secret_option secret_option_find(unsigned program, struct text word)
{
	struct text options = program > 0 ? text_of(programs[program - 1].options) : TEXT("");

	for (size_t start = 0; start < options.length;) {
		size_t end = text_find(options, ' ', start);
		struct text option = {options.data + start, end - start};
		char kind = option.data[option.length - 1];
		start = end + 1;
		if ((uint8_t)((kind | 0x20) - 'a') < 26)
			kind = ANY_VALUE;
		else
			option.length--;
		if (option.length == 0)
			continue;
		bool is_prefix =
			word.length >= option.length && text_equal((struct text){word.data, option.length}, option);
		bool is_short = option.data[1] != '-';
		char needed = kind == '+' || kind == '.' ? ANY_VALUE : kind;
		if (is_prefix && (word.length == option.length || (is_short && kind != '.')))
			return (struct secret_option){option.length, needed, kind == '+'};
		if (kind != '+' && kind != '.' && is_bundle(word, option))
			return (struct secret_option){word.length, needed, false};
	}
	return (struct secret_option){0, ANY_VALUE, false};
}

bool secret_program_sets(unsigned program)
{
	return program > 0 && programs[program - 1].options[0] == '*';
}
