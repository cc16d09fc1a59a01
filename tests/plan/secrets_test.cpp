#include "orchestrator/plan/secrets.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/plan/acceptance.hpp"

using namespace shakedown;

namespace {

std::string of(const std::vector<Parameter>& environment, std::string_view name) {
  const Value* value = find_parameter(environment, name);
  return value == nullptr ? "(none)" : value_text(*value);
}

Acceptance secrets_read(std::string_view text) {
  auto acceptance = acceptance_from_toml(text, "site.toml");
  INFO((acceptance ? "" : to_string(acceptance.error())));
  REQUIRE(acceptance);
  return *acceptance;
}

Error secrets_refusal(std::string_view text) {
  const auto acceptance = acceptance_from_toml(text, "site.toml");
  REQUIRE_FALSE(acceptance);
  return acceptance.error();
}

/// What is known of the value of a variable.
std::string value_of(const std::vector<Secret>& secrets, const std::string& name, int number = 1) {
  const Secret* secret = find_secret(secrets, {name, number, "", ""});
  return secret == nullptr ? "(none)" : secret->value;
}

Plan plan_of(std::vector<Parameter> environment, std::vector<std::string> argv = {"/bin/true"}) {
  Case planned;
  planned.id = "x";
  planned.argv = std::move(argv);
  planned.environment = std::move(environment);
  Plan plan;
  plan.cases = {planned};
  return plan;
}

}  // namespace

TEST_CASE("a configuration's secrets leave its variables and its text") {
  const Acceptance acceptance = secrets_read(R"(title = "Täst" # HF_TOKEN = "an-old-one"
[site.environment]
HF_TOKEN = "hf-value \"quoted\""  # was hf-value "quoted" before
http_proxy = 'http://me:pass@proxy:3128'
ODD = { value = "odd-value", secret = true }
FROM = { from = "MY_FROM" }
NUMBER_PASSWORD = 1234567
NCCL_DEBUG = "WARN"
THREADS = 8
)");
  const auto& environment = acceptance.site.environment;
  CHECK(of(environment, "HF_TOKEN") == "(secret)");
  CHECK(of(environment, "http_proxy") == "http://(secret)@proxy:3128");
  CHECK(of(environment, "ODD") == "(secret)");
  CHECK(of(environment, "FROM") == "(secret from MY_FROM)");
  CHECK(of(environment, "NUMBER_PASSWORD") == "(secret)");
  CHECK(of(environment, "NCCL_DEBUG") == "WARN");
  CHECK(find_parameter(environment, "THREADS")->index() == 0);
  CHECK(value_of(acceptance.secrets, "HF_TOKEN") == "hf-value \"quoted\"");
  CHECK(value_of(acceptance.secrets, "http_proxy") == "http://me:pass@proxy:3128");
  CHECK(acceptance.text == R"toml(title = "Täst" # HF_TOKEN = "(secret)"
[site.environment]
HF_TOKEN = "(secret)"  # was (secret) before
http_proxy = "http://(secret)@proxy:3128"
ODD = { value = "(secret)", secret = true }
FROM = { from = "MY_FROM" }
NUMBER_PASSWORD = "(secret)"
NCCL_DEBUG = "WARN"
THREADS = 8
)toml");

  SECTION("and the text that is kept says the same when it is read") {
    const Acceptance again = secrets_read(acceptance.text);
    CHECK(again.site.environment == environment);
    CHECK(again.text == acceptance.text);
    CHECK(value_of(again.secrets, "HF_TOKEN").empty());
  }
}

TEST_CASE("a configuration without secrets is kept to the last byte") {
  const std::string text =
      "title = \"a # b\" # c\r\n[site.environment]\r\nA = '''\nx # y'''\nB=1.50 # n\n\n# end";
  CHECK(secrets_read(text).text == text);
}

TEST_CASE("programs may have another value of one variable") {
  const Acceptance acceptance = secrets_read(R"([site.environment]
WANDB_API_KEY = "first-value"
[[site.programs]]
implementation = "hpl/nvidia"
environment = { WANDB_API_KEY = "second-value" }
[[site.programs]]
implementation = "hpcg/nvidia"
environment = { WANDB_API_KEY = "first-value" }
)");
  CHECK(of(acceptance.site.environment, "WANDB_API_KEY") == "(secret)");
  CHECK(of(acceptance.site.programs[0].environment, "WANDB_API_KEY") == "(secret 2)");
  CHECK(of(acceptance.site.programs[1].environment, "WANDB_API_KEY") == "(secret)");
  CHECK(value_of(acceptance.secrets, "WANDB_API_KEY", 2) == "second-value");
  CHECK(secrets_read(acceptance.text).site.programs == acceptance.site.programs);
}

TEST_CASE("a secret where others can read it is refused, with its line") {
  const Error elsewhere = secrets_refusal(R"([site]
slurm_options = ["--comment=the-token-itself"]
[site.environment]
HF_TOKEN = "the-token-itself"
)");
  CHECK(elsewhere.where == "site.toml:2");
  CHECK(elsewhere.what == "'slurm_options' contains the value of the secret HF_TOKEN");
  const Error exported = secrets_refusal("[site]\nslurm_options = [\"--export=ALL,HF_TOKEN=abc\"]\n");
  CHECK(exported.where == "site.toml:2");
  CHECK(exported.what == "'slurm_options' holds what looks like a secret: --export=ALL,HF_TOKEN=(secret)");
  const Error option = secrets_refusal("[site]\nscheduler_options = [\"--password\", \"abc\"]\n");
  CHECK(option.what == "'scheduler_options' holds what looks like a secret: --password (secret)");
  const Error image =
      secrets_refusal("[[site.programs]]\nimplementation = \"hpl/nvidia\"\nimage = \"docker://a:b@c/d\"\n");
  CHECK(image.where == "site.toml:3");
  CHECK(image.what == "'image' holds what looks like a secret: docker://(secret)@c/d");
  const Error unmarked = secrets_refusal(R"([site.environment]
HF_TOKEN = "the-token-itself"
ARGUMENTS = "--with the-token-itself"
)");
  CHECK(unmarked.where == "site.toml:3");
  CHECK(unmarked.hint.find("ARGUMENTS = { value = \"...\", secret = true }") != std::string::npos);
}

TEST_CASE("a path and a name that occur elsewhere too are no secrets there") {
  const Acceptance acceptance = secrets_read(R"(title = "benchmark run"
[site]
mounts = ["/etc/ssl/site.pem:/etc/ssl/site.pem"]
[site.environment]
AWS_PROFILE = "benchmark"
TLS_KEY = "/etc/ssl/site.pem"
CURL_CA_BUNDLE = "/etc/ssl/site.pem"
)");
  CHECK(of(acceptance.site.environment, "AWS_PROFILE") == "benchmark");
  CHECK(of(acceptance.site.environment, "TLS_KEY") == "(secret)");
}

TEST_CASE("a variable that no shell can set is refused with its line") {
  const Error refused = secrets_refusal("[site.environment]\nA = 1\nhf-token = \"planted-value\"\n");
  CHECK(refused.where == "site.toml:3");
  CHECK(refused.what == "'hf-token' is no name of a variable");
}

TEST_CASE("a variable's table says one thing") {
  CHECK(secrets_refusal("[site.environment]\nA = {}\n").what == "'A' needs one of 'value' and 'from'");
  CHECK(secrets_refusal("[site.environment]\nA = { value = \"b\", from = \"C\" }\n").what ==
        "'A' needs one of 'value' and 'from'");
  CHECK(secrets_refusal("[site.environment]\nA = { value = \"b\", secret = false }\n").what ==
        "'secret' is false");
  CHECK(secrets_refusal("[site.environment]\nA = { value = [1] }\n").what ==
        "'value' must be a number or a string");
  CHECK(secrets_refusal("[site.environment]\nA = { value = 1, valu = 1 }\n")
            .what.starts_with("unknown key 'valu'"));
  CHECK(of(secrets_read("[site.environment]\nA = { value = \"b\" }\n").site.environment, "A") == "b");
}

TEST_CASE("a plan that was written by hand gives its secrets away to nobody") {
  std::vector<Secret> secrets;
  Plan plan = plan_of({{"HF_TOKEN", std::string("the-token-itself")},
                       {"FLAGS", std::string("--token the-token-itself")},
                       {"EMPTY_TOKEN", std::string()},
                       {"N", std::int64_t{5}}});
  REQUIRE(take_secrets(plan, "plan.json", secrets));
  const auto& environment = plan.cases.front().environment;
  CHECK(of(environment, "HF_TOKEN") == "(secret)");
  CHECK(of(environment, "FLAGS") == "(secret)");
  CHECK(of(environment, "EMPTY_TOKEN").empty());
  CHECK(of(environment, "N") == "5");
  CHECK(plan_json(plan).find("the-token-itself") == std::string::npos);
  CHECK(secrets_of(plan.cases.front()).size() == 2);
  CHECK(value_of(secrets, "FLAGS") == "--token the-token-itself");
}

TEST_CASE("a reference to a secret is a variable's whole value, or all that is secret of an address") {
  for (const auto& [name, value] : {std::pair{"HF_TOKEN", "(secret)planted"},
                                    {"HF_TOKEN", "planted (secret)"},
                                    {"HF_TOKEN", "(secret 2)planted"},
                                    {"HF_TOKEN", "(secret from MINE)planted"},
                                    {"HF_TOKEN", "(secret) (secret 2)"},
                                    {"ODD", "(secret)planted"},
                                    {"ODD", "planted(secret)"},
                                    {"http_proxy", "http://(secret)planted@proxy:3128"},
                                    {"http_proxy", "http://(secret)@proxy https://me:planted@site"},
                                    {"ODD", "DB_PASSWORD=(secret)planted"},
                                    {"ODD", "DB_PASSWORD=(secret 2)planted"}}) {
    INFO(value);
    std::vector<Secret> secrets;
    Plan plan = plan_of({{name, std::string(value)}});
    const auto taken = take_secrets(plan, "plan.json", secrets);
    REQUIRE_FALSE(taken);
    CHECK(taken.error().where == "plan.json: case 'x'");
    CHECK(taken.error().what.find("mixes a reference to a secret, (secret") != std::string::npos);
    CHECK(to_string(taken.error()).find("planted") == std::string::npos);
    CHECK(secrets_refusal("[site.environment]\n" + std::string(name) + " = \"" + value + "\"\n").where ==
          "site.toml:2");
  }
  for (const auto& [name, value] :
       {std::pair{"HF_TOKEN", "(secret)"},
        {"HF_TOKEN", "(secret 2)"},
        {"ODD", "(secret from MINE)"},
        {"http_proxy", "http://(secret)@proxy:3128"},
        {"DATA", "https://s3/x?token=(secret)&part=2"},
        {"ODD", "DB_PASSWORD=(secret 2) HOME=/x"},
        {"KEY_FILE", "-----BEGIN PRIVATE KEY-----\n(secret 2)-----END PRIVATE KEY-----\n"}}) {
    INFO(value);
    std::vector<Secret> secrets;
    Plan plan = plan_of({{name, std::string(value)}});
    REQUIRE(take_secrets(plan, "plan.json", secrets));
    CHECK(of(plan.cases.front().environment, name) == value);
    CHECK(secrets_of(plan.cases.front()).size() == 1);
  }

  SECTION("what only begins like one is a value") {
    std::vector<Secret> secrets;
    Plan plan = plan_of({{"HF_TOKEN", std::string("(secret planted")}, {"NOTE", std::string("(secretary)")}});
    REQUIRE(take_secrets(plan, "plan.json", secrets));
    CHECK(of(plan.cases.front().environment, "HF_TOKEN") == "(secret)");
    CHECK(of(plan.cases.front().environment, "NOTE") == "(secretary)");
    CHECK(value_of(secrets, "HF_TOKEN") == "(secret planted");
  }
}

TEST_CASE("a secret in a case's command line or input file is refused") {
  const auto refused = [](Plan plan) {
    std::vector<Secret> secrets;
    const auto taken = take_secrets(plan, "plan.json", secrets);
    REQUIRE_FALSE(taken);
    CHECK(taken.error().where == "plan.json: case 'x'");
    return taken.error().what;
  };
  CHECK(refused(plan_of({}, {"prog", "--token=abcd"})) ==
        "its command line holds what looks like a secret: --token=(secret)");
  CHECK(refused(plan_of({}, {"prog", "--api-key", "abcd"})) ==
        "its command line holds what looks like a secret: --api-key (secret)");
  CHECK(refused(plan_of({}, {"env", "HF_TOKEN=abc", "prog"})) ==
        "its command line holds what looks like a secret: HF_TOKEN=(secret)");
  CHECK(refused(plan_of({}, {"curl", "https://me:pw@site/"})) ==
        "its command line holds what looks like a secret: https://(secret)@site/");
  CHECK(refused(plan_of({{"DB_PASSWORD", std::string("hush-hush")}}, {"prog", "--with=hush-hush"})) ==
        "its command line contains the value of the secret DB_PASSWORD");
  Plan plan = plan_of({{"DB_PASSWORD", std::string("hush-hush")}});
  plan.cases.front().files = {{"in.txt", "password hush-hush\n"}};
  CHECK(refused(plan) == "its input file in.txt contains the value of the secret DB_PASSWORD");

  const auto with = [](auto change) {
    Plan changed = plan_of({});
    change(changed.cases.front());
    return changed;
  };
  CHECK(refused(with([](Case& each) { each.container.image = "docker://u:planted@reg/x"; })) ==
        "its container's image holds what looks like a secret: docker://(secret)@reg/x");
  CHECK(refused(with([](Case& each) { each.modules = {"https://u:planted@h/"}; })) ==
        "its modules hold what looks like a secret: https://(secret)@h/");
  CHECK(refused(with([](Case& each) { each.warnings = {"see https://u:planted@h/"}; })) ==
        "its warnings hold what looks like a secret: see https://(secret)@h/");
  CHECK(refused(with([](Case& each) {
          each.files = {{"in.cfg", "N = 5\n API_KEY=planted\nhttps://u:planted@h"}};
        })) == "its input file in.cfg holds what looks like a secret: API_KEY=(secret)");
  CHECK(refused(plan_of({}, {"/bin/bash", "-c", "true\nA_TOKEN=\"planted\"\nfalse"})) ==
        "its command line holds what looks like a secret: A_TOKEN=\"(secret)\"");
  CHECK(refused(with([](Case& each) {
          each.preparation = {{"sh", "-c", "true\nA_TOKEN=planted\n"}};
        })) == "its preparation holds what looks like a secret: A_TOKEN=(secret)");
}

TEST_CASE("input files of benchmarks hold no secrets") {
  std::vector<Secret> secrets;
  Plan plan = plan_of({});
  plan.cases.front().files = {
      {"run.sh", "export HF_TOKEN=$(cat x)\nMAX_TOKEN_LEN=5 NUM_TOKENS=7\n"},
      {"model.json", R"({"pad_token": "<pad>", "tokenizer": "/data/tokenizer.model"})"}};
  plan.cases.front().modules = {"gcc/12", "https://h/m.lua"};
  plan.cases.front().container.image = "docker://nvcr.io/nvidia/pytorch:24.04-py3@sha256:abc";
  CHECK(take_secrets(plan, "plan.json", secrets));
}

TEST_CASE("a secret is found in the usual ways of giving one on a command line") {
  for (const auto& [words, shown] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"train", "--wandb.api_key=planted"}, "--wandb.api_key=(secret)"},
           {{"train", "+exp.wandb.api_key=planted"}, "+exp.wandb.api_key=(secret)"},
           {{"train", "api.token", "planted"}, "api.token (secret)"},
           {{"prog", "--password", "/planted/x"}, "--password (secret)"},
           {{"bash", "-c", "wandb login --api-key planted"}, "--api-key (secret)"},
           {{"bash", "-c", "export hf_token=planted; foo"}, "hf_token=(secret)"},
           {{"bash", "-c", "curl -u me:planted https://x/"}, "-u (secret)"},
           {{"curl", "--header", "X-Api-Key: planted"}, "X-Api-Key: (secret)"},
           {{"curl", "--header=X-Api-Key: planted"}, "X-Api-Key: (secret)"},
           {{"bash", "-c", "curl -H 'X-Api-Key: planted' https://x/"}, "X-Api-Key: (secret)"},
           {{"bash", "-c", "bash -c 'a; b --token \"planted x\"'"}, "--token (secret)"}}) {
    INFO(words.back());
    CHECK(secret_argument(words) == shown);
  }
}

TEST_CASE("options whose values are plain are no secrets") {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"prog", "--max-token=4096", "--token-file=/x", "--access-token=$TOKEN"},
        {"sh", "-c", "prog --token \"$HF_TOKEN\"; HF_TOKEN=$(cat x)"},
        {"srun", "--export=ALL", "--nodelist=cn1", "--password", "--other"},
        {"prog", "--max-token-len", "5", "MAX_TOKEN_LEN=5", "NUM_TOKENS=7", "NCCL_IB_HCA=mlx5",
         "OMP_NUM_THREADS=8"},
        {"mpirun", "--mca", "btl_tcp_if_include", "eth0", "-x", "OMPI_MCA_btl=self", "--ssl-key",
         "/etc/x.pem"},
        {"train", "model.tokenizer.path=/data/tok.model", "tokenizer.eos_token=x", "trainer.max_steps=5",
         "model.data.train_ds.label_key=output", "--sort-key", "name"},
        {"podman", "run", "-u", "1000:1000", "--password-file=/x", "SLURM_JOB_ID=5"},
        {"bash", "-c", "for token in a b; do echo $token; done; token=$(cat /x) prog --token-file /y"}})
    CHECK(secret_argument(words).empty());
}
