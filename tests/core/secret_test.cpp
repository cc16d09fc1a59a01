#include "orchestrator/core/secret.hpp"

#include <catch2/catch.hpp>

#include "tests/cpu_time.hpp"

using namespace shakedown;

TEST_CASE("variables that speak of keys, tokens or passwords are secret by their names") {
  for (const char* name : {"OMPI_TOKEN",
                           "SLURM_JWT_KEY",
                           "CUDA_password",
                           "HPL_API_SECRET",
                           "NCCL_AUTH",
                           "HF_TOKEN",
                           "HUGGING_FACE_HUB_TOKEN",
                           "WANDB_API_KEY",
                           "SLURM_JWT",
                           "SITE_JWT",
                           "DB_PASSWORD",
                           "AWS_ACCESS_KEY_ID",
                           "AWS_SESSION_TOKEN",
                           "GOOGLE_APPLICATION_CREDENTIALS",
                           "api-key",
                           "access-token",
                           "SLACK_WEBHOOK_URL",
                           "DB_PASS",
                           "PGPASS",
                           "GH_PAT",
                           "MY_PAT",
                           "HF_TOKEN_1",
                           "HF_TOKEN2",
                           "TOKEN_HF",
                           "PRIVATEKEY",
                           "SSHKEY",
                           "COOKIE",
                           "SESSION_COOKIE",
                           "AUTH"})
    CHECK(names_secret(name));
}

TEST_CASE("variables of tuning, of paths and of language models are none") {
  for (const char* name : {"OMP_NUM_THREADS",
                           "LD_LIBRARY_PATH",
                           "HPL_OOC_MODE",
                           "TOKENIZERS_PARALLELISM",
                           "MAX_TOKENS",
                           "SSH_AUTH_SOCK",
                           "XAUTHORITY",
                           "PWD",
                           "OLDPWD",
                           "NCCL_IB_HCA",
                           "OMPI_MCA_btl",
                           "AWS_REGION",
                           "AWS_DEFAULT_REGION",
                           "AWS_PROFILE",
                           "AWS_CA_BUNDLE",
                           "AWS_ENDPOINT_URL_S3",
                           "KEYMAP",
                           "MONKEY",
                           "KEY",
                           "MAX_TOKEN_LEN",
                           "max-token-len",
                           "NUM_TOKENS",
                           "TOKEN_LENGTH",
                           "TOKEN_COUNT",
                           "EOS_TOKEN",
                           "BYPASS",
                           "COMPASS",
                           "OMPI_MCA_btl_tcp_if_include",
                           "NCCL_DEBUG_FILE",
                           "SLURM_JOB_ID",
                           "PATH",
                           "AUTHOR",
                           "MUNGE_SOCKET",
                           "TOKENIZER_PATH"})
    CHECK_FALSE(names_secret(name));
}

TEST_CASE("of an address only the credentials are masked") {
  CHECK(shown_value("http_proxy", "http://me:pass@proxy:3128/") == "http://(secret)@proxy:3128/");
  CHECK(shown_value("REPOSITORY", "https://glpat@git.site/x") == "https://(secret)@git.site/x");
  CHECK(shown_value("REPOSITORY", "ssh://git@git.site/x") == "ssh://git@git.site/x");
  CHECK(shown_value("SITE", "https://site/x@y") == "https://site/x@y");
  CHECK(shown_value("DATA", "https://s3/x?token=abc&part=2") == "https://s3/x?token=(secret)&part=2");
  CHECK(shown_value("http_proxy", "http://(secret)@proxy:3128/") == "http://(secret)@proxy:3128/");
}

TEST_CASE("a proxy's credentials are masked without a scheme, and a file's path stays") {
  CHECK(shown_value("PROXY", "u:planted@proxy:3128") == "(secret)@proxy:3128");
  CHECK(shown_value("https_proxy", "u:planted@proxy:3128") == "(secret)@proxy:3128");
  CHECK(shown_value("https_proxy", "(secret)@proxy:3128") == "(secret)@proxy:3128");
  CHECK(shown_value("https_proxy", "proxy:3128") == "proxy:3128");
  CHECK(without_secrets("export http_proxy=u:planted@proxy:3128 A=b") ==
        "export http_proxy=(secret)@proxy:3128 A=b");
  CHECK(without_parts("planted at proxy", known_parts("u:planted@proxy:3128")) == "(secret) at proxy");
  CHECK(shown_value("IMAGE", "nvcr.io/x:1@sha256:abc") == "nvcr.io/x:1@sha256:abc");
  CHECK(shown_value("PASSWORD_FILE", "/run/secrets/x") == "/run/secrets/x");
  CHECK(shown_value("PASSWORD_FILE", "planted") == "(secret)");
  CHECK(shown_value("API_KEY_PATH", "~/key") == "~/key");
  CHECK(shown_value("DB_PASSWORD", "/planted/x") == "(secret)");
  CHECK(without_secrets("PASSWORD_FILE=/run/x API_KEY=/planted") == "PASSWORD_FILE=/run/x API_KEY=(secret)");
}

TEST_CASE("what a secret's shape tells is masked in a text") {
  CHECK(without_secrets("Authorization: Bearer abcdef0123") == "Authorization: Bearer (secret)");
  CHECK(without_secrets("{\"Authorization\": \"Basic YTpiYzo=\"}") ==
        "{\"Authorization\": \"Basic (secret)\"}");
  CHECK(without_secrets("export HF_TOKEN=abc HOME=/x") == "export HF_TOKEN=(secret) HOME=/x");
  CHECK(without_secrets("WANDB_API_KEY = \"a b\" # c") == "WANDB_API_KEY = \"(secret)\" # c");
  CHECK(without_secrets("HF_TOKEN=$(cat x) A_KEY=\"$B\"") == "HF_TOKEN=$(cat x) A_KEY=\"$B\"");
  CHECK(without_secrets("login with hf_abcdefghijklmnopqrstuvwx0123456789 failed") ==
        "login with (secret) failed");
  CHECK(without_secrets("token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJlMDE fine") ==
        "token (secret) fine");
  CHECK(without_secrets("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\n") ==
        "-----BEGIN RSA PRIVATE KEY-----\n(secret)-----END RSA PRIVATE KEY-----\n");
  CHECK(without_secrets("post https://hooks.slack.com/services/T0/B0/planted now") ==
        "post https://hooks.slack.com/(secret) now");
  CHECK(without_secrets("https://site.webhook.office.com/webhookb2/planted") ==
        "https://site.webhook.office.com/(secret)");
  for (const char* plain :
       {"/data/hf_llama2_70b_checkpoints_2024_01_15_final:/m", "docker://ubuntu:24.04@sha256:0123abc",
        "https://hooks.slack.com/(secret)", "[proxy:0:0@cn001] HYDU_create_process",
        "https://site/discord.com/api/webhooks/x", "T/V N NB P Q Time Gflops", "max_token: 4096",
        "Bearer of news", "hpl_pdgesv() sk-1", "https://site/", ""})
    CHECK(without_secrets(plain) == plain);
}

TEST_CASE("a known value is found again, a short one only as a word") {
  const auto parts = known_parts("quiet1");
  CHECK(without_parts("it was quiet1, and quiet12 is another", parts) ==
        "it was (secret), and quiet12 is another");
  const auto of_address = known_parts("http://me:hush-hush@proxy:3128");
  CHECK(without_parts("hush-hush at http://proxy:3128", of_address) == "(secret) at http://proxy:3128");
  CHECK(known_parts("1234").empty());
  CHECK(holds_any("xxlonger-than-twelveyy", known_parts("longer-than-twelve")));
}

TEST_CASE("a text that was made to be slow is masked in time that grows with its length") {
  for (const std::string& piece :
       {std::string("://?a=1&"), std::string("://"), std::string("A_KEY="), std::string("A_KEY=$"),
        std::string("A_KEY=\""), std::string("-----BEGIN "), std::string("-----BEGIN PRIVATE KEY"),
        std::string("-----BEGIN PRIVATE KEY-----\n"), std::string("planted-token-01"),
        std::string("http://a:b@"), std::string("://hooks.slack.com/"), std::string("?token=&"),
        std::string("Authorization:")}) {
    INFO(piece);
    std::string text = "http://x/";
    while (text.size() < 1 << 20) text += piece;
    const CpuTime took;
    static_cast<void>(without_secrets(without_parts(text, known_parts("planted-token-01"))));
    CHECK(took.seconds() < 2);
  }
}
