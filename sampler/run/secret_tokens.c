/* SPDX-License-Identifier: Apache-2.0 */
/* Recognizes tokens by their prefix and their length. */
#include "sampler/run/secret_tokens.h"

/* The characters after a prefix. Most prefixes allow no '-' or '_', because names of files and modules often contain
 * them (sk-learn, hf_transfer). */
enum { ALPHANUMERIC, WITH_DASHES };

/* The arrays hold the texts themselves, because pointers would need relocations in every process that loads the
 * library. */
static const struct {
	char prefix[28];
	unsigned char least; /* number of characters that must follow the prefix */
	unsigned char characters;
	char next[5]; /* text that must follow these characters, or "" */
} tokens[] = {
	{"ghp_", 16, ALPHANUMERIC, ""}, /* GitHub */
	{"gho_", 16, ALPHANUMERIC, ""}, {"ghu_", 16, ALPHANUMERIC, ""}, {"ghs_", 16, ALPHANUMERIC, ""},
	{"ghr_", 16, ALPHANUMERIC, ""}, {"github_pat_", 16, WITH_DASHES, ""},
	{"glpat-", 12, WITH_DASHES, ""}, /* GitLab */
	{"gldt-", 12, WITH_DASHES, ""}, {"glrt-", 12, WITH_DASHES, ""}, {"glptt-", 12, WITH_DASHES, ""},
	{"sk-", 20, ALPHANUMERIC, ""}, /* OpenAI, Anthropic and others */
	{"sk-proj-", 16, WITH_DASHES, ""}, {"sk-svcacct-", 16, WITH_DASHES, ""}, {"sk-admin-", 16, WITH_DASHES, ""},
	{"sk-ant-", 16, WITH_DASHES, ""}, {"sk-or-v1-", 16, WITH_DASHES, ""},
	{"sk_live_", 12, ALPHANUMERIC, ""}, /* Stripe */
	{"sk_test_", 12, ALPHANUMERIC, ""}, {"rk_live_", 12, ALPHANUMERIC, ""},
	{"xoxa-", 10, WITH_DASHES, ""}, /* Slack */
	{"xoxb-", 10, WITH_DASHES, ""}, {"xoxe-", 10, WITH_DASHES, ""}, {"xoxp-", 10, WITH_DASHES, ""},
	{"xoxr-", 10, WITH_DASHES, ""}, {"xoxs-", 10, WITH_DASHES, ""}, {"xapp-", 10, WITH_DASHES, ""},
	{"hooks.slack.com/services/", 2, ALPHANUMERIC, ""}, {"discord.com/api/webhooks/", 2, ALPHANUMERIC, ""},
	{"api.telegram.org/bot", 2, ALPHANUMERIC, ""}, {"hf_", 16, ALPHANUMERIC, ""}, /* Hugging Face */
	{"gsk_", 20, ALPHANUMERIC, ""},                                               /* Groq */
	{"nvapi-", 20, WITH_DASHES, ""},                                              /* NVIDIA */
	{"AKIA", 12, ALPHANUMERIC, ""},                                               /* Amazon */
	{"AIza", 30, WITH_DASHES, ""},                                                /* Google */
	{"ya29.", 16, WITH_DASHES, ""},                                               /* Google OAuth */
	{"npm_", 20, ALPHANUMERIC, ""},                                               /* npm */
	{"pypi-AgE", 16, WITH_DASHES, ""},                                            /* PyPI */
	{"dckr_pat_", 16, WITH_DASHES, ""},                                           /* Docker */
	{"dop_v1_", 16, ALPHANUMERIC, ""},                                            /* DigitalOcean */
	{"glsa_", 16, WITH_DASHES, ""},                                               /* Grafana */
	{"hvs.", 16, WITH_DASHES, ""},                                                /* Vault */
	{"dapi", 32, ALPHANUMERIC, ""},                                               /* Databricks */
	{"eyJ", 10, WITH_DASHES, ".eyJ"},          /* JSON Web Token: "eyJ" is the base64 of '{"' */
	{"jdbc:oracle:thin:", 1, WITH_DASHES, ""}, /* USER/PASSWORD@HOST */
};

static bool is_alphanumeric(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
}

/* Returns whether the byte ends a token. Spaces, control characters, and the delimiters of URLs, lists and shells
 * do. */
static bool ends_token(char byte)
{
	const struct text ends = TEXT("'\"`@&?#,;|<>()[]{}\\");

	return (uint8_t)byte <= ' ' || text_find(ends, byte, 0) < ends.length;
}

size_t secret_token_end(struct text text, size_t at, size_t *secret)
{
	for (size_t i = 0; i < ARRAY_LENGTH(tokens); i++) {
		if (text.data[at] != tokens[i].prefix[0] ||
			!text_starts((struct text){text.data + at, text.length - at}, tokens[i].prefix))
			continue;
		*secret = at + text_length(tokens[i].prefix);
		size_t end = *secret;
		while (end < text.length &&
			(is_alphanumeric(text.data[end]) || (tokens[i].characters == WITH_DASHES &&
								    (text.data[end] == '-' || text.data[end] == '_'))))
			end++;
		if (end - *secret < tokens[i].least ||
			!text_starts((struct text){text.data + end, text.length - end}, tokens[i].next))
			continue;
		while (end < text.length && !ends_token(text.data[end]))
			end++;
		return end;
	}
	return 0;
}
