# One static library per layer. A layer links only what it may include (tests/check_layers.cmake
# checks the includes themselves), so a wrong dependency fails twice.

# shakedown_layer(<name> FOLDERS <dir>... LINKS <target>...): every .cpp directly in the folders.
function(shakedown_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FOLDERS;LINKS;EXTRA")
  set(sources "")
  foreach(folder IN LISTS arg_FOLDERS)
    file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  add_library(shakedown_${name} STATIC ${sources} ${arg_EXTRA})
  target_include_directories(shakedown_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(shakedown_${name} PUBLIC ${arg_LINKS} PRIVATE shakedown_warnings)
endfunction()

# shakedown_registry(<out-var> FUNCTION f TYPE t HEADER h NAMESPACE n SYMBOLS s...): writes the table
# `std::span<const T* const> f()` over `extern const T n::s` for each symbol.
function(shakedown_registry out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FUNCTION;TYPE;HEADER;NAMESPACE" "SYMBOLS")
  set(declarations "")
  set(entries "")
  foreach(symbol IN LISTS arg_SYMBOLS)
    string(APPEND declarations "extern const ${arg_TYPE} ${symbol};\n")
    string(APPEND entries "    &${arg_NAMESPACE}::${symbol},\n")
  endforeach()
  list(LENGTH arg_SYMBOLS count)
  set(file ${PROJECT_BINARY_DIR}/generated/${arg_FUNCTION}.cpp)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
"// Generated from the folder's files.
#include <array>
#include <span>

#include \"@arg_HEADER@\"

namespace @arg_NAMESPACE@ {
using namespace shakedown;  // NOLINT
@declarations@}  // namespace @arg_NAMESPACE@

namespace shakedown {
std::span<const @arg_TYPE@* const> @arg_FUNCTION@() {
  static constexpr std::array<const @arg_TYPE@*, @count@> table = {
@entries@  };
  return table;
}
}  // namespace shakedown
")
  # By itself: a file more in the folder changes no other one.
  set_source_files_properties(${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set(${out} ${file} PARENT_SCOPE)
endfunction()

# shakedown_names(<out-var> <folder>... [TYPE t]): the names of the folders' files *.cpp without their ending. With
# TYPE t only of those that define a constant of that type at the start of a line ("const Parser hpl = {"): the others
# are pieces that they share.
function(shakedown_names out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TYPE" "")
  set(found "")
  foreach(folder IN LISTS arg_UNPARSED_ARGUMENTS)
    file(GLOB more CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
    list(APPEND found ${more})
  endforeach()
  set(files "")
  foreach(file IN LISTS found)
    set(constants yes)
    if(arg_TYPE)
      file(STRINGS ${file} constants REGEX "^const ${arg_TYPE} ")
    endif()
    if(constants)
      list(APPEND files ${file})
    endif()
  endforeach()
  list(TRANSFORM files REPLACE ".*/([^/]+)\\.cpp$" "\\1")
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# shakedown_embed(<out-var> SYMBOL s FILES f...): the files as string literals,
# `std::optional<std::string_view> s(std::string_view name)` by file name.
function(shakedown_embed out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SYMBOL" "FILES")
  set(entries "")
  foreach(path IN LISTS arg_FILES)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    get_filename_component(name ${path} NAME)
    file(READ ${path} text)
    string(APPEND entries "    {\"${name}\", R\"~~~(${text})~~~\"},\n")
  endforeach()
  set(file ${PROJECT_BINARY_DIR}/generated/${arg_SYMBOL}.cpp)
  set(content
"// Generated: files that travel inside the program.
#include <optional>
#include <string_view>

namespace shakedown {
namespace {
struct File {
  std::string_view name;
  std::string_view text;
};
constexpr File files[] = {
${entries}};
}  // namespace

std::optional<std::string_view> ${arg_SYMBOL}(std::string_view name);
std::optional<std::string_view> ${arg_SYMBOL}(std::string_view name) {
  for (const File& file : files)
    if (file.name == name) return file.text;
  return std::nullopt;
}
}  // namespace shakedown
")
  file(GENERATE OUTPUT ${file} CONTENT "${content}")
  set(${out} ${file} PARENT_SCOPE)
endfunction()

# shakedown_embed_file(<out-var> SYMBOL s FILE f): a file of any content as `std::string_view s()`.
function(shakedown_embed_file out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SYMBOL;FILE" "")
  set(file ${PROJECT_BINARY_DIR}/generated/${arg_SYMBOL}.cpp)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
"// Generated: a file that travels inside the program.
#include <string_view>

asm(\".pushsection .rodata\\n\"
    \"@arg_SYMBOL@_begin: .incbin \\\"@arg_FILE@\\\"\\n\"
    \"@arg_SYMBOL@_end: .byte 0\\n\"
    \".popsection\\n\");
extern const char embedded_begin[] __asm__(\"@arg_SYMBOL@_begin\");
extern const char embedded_end[] __asm__(\"@arg_SYMBOL@_end\");

namespace shakedown {
std::string_view @arg_SYMBOL@();
std::string_view @arg_SYMBOL@() {
  return {embedded_begin, static_cast<std::size_t>(embedded_end - embedded_begin)};
}
}  // namespace shakedown
")
  set_source_files_properties(${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON OBJECT_DEPENDS ${arg_FILE})
  set(${out} ${file} PARENT_SCOPE)
endfunction()

shakedown_layer(core FOLDERS orchestrator/core
  LINKS fmt::fmt nlohmann_json::nlohmann_json tl::expected PkgConfig::tomlplusplus PkgConfig::libsodium Threads::Threads)
target_link_libraries(shakedown_core PRIVATE simdjson::simdjson)
target_compile_definitions(shakedown_core PRIVATE SHAKEDOWN_SIMDJSON)
set_source_files_properties(${PROJECT_SOURCE_DIR}/orchestrator/core/version.cpp PROPERTIES
  COMPILE_DEFINITIONS SHAKEDOWN_VERSION="${PROJECT_VERSION}" SKIP_UNITY_BUILD_INCLUSION ON)
shakedown_embed(catalogue SYMBOL inventory_file FILES ${PROJECT_SOURCE_DIR}/orchestrator/inventory/accelerators.toml
  ${PROJECT_SOURCE_DIR}/orchestrator/inventory/processors.toml)
shakedown_layer(inventory FOLDERS orchestrator/inventory EXTRA ${catalogue} LINKS shakedown_core PkgConfig::hwloc ${CMAKE_DL_LIBS})
shakedown_layer(plan FOLDERS orchestrator/plan LINKS shakedown_inventory)
shakedown_layer(launch FOLDERS orchestrator/launch
  LINKS shakedown_plan Boost::headers Boost::filesystem Boost::system Threads::Threads)

shakedown_names(names orchestrator/launchers)
shakedown_registry(table FUNCTION launchers TYPE Launcher HEADER orchestrator/launch/launcher.hpp
  NAMESPACE shakedown::launcher SYMBOLS ${names})
shakedown_layer(launchers FOLDERS orchestrator/launchers LINKS shakedown_launch EXTRA ${table})

shakedown_names(names orchestrator/schedulers TYPE SchedulerType)
shakedown_registry(table FUNCTION schedulers TYPE SchedulerType HEADER orchestrator/launch/scheduler.hpp
  NAMESPACE shakedown::scheduler SYMBOLS ${names})
# The seam's `launchers()` and `schedulers()` are defined by the folders of those who stand behind it.
target_link_libraries(shakedown_launch PUBLIC shakedown_launchers)
shakedown_layer(schedulers FOLDERS orchestrator/schedulers LINKS shakedown_launch EXTRA ${table})

file(GLOB suite_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/suites/*/suite.cpp)
set(names "")
set(folders "")
foreach(file IN LISTS suite_files)
  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(name ${folder} NAME)
  list(APPEND names ${name})
  list(APPEND folders suites/${name})
endforeach()
shakedown_registry(table FUNCTION suites TYPE Suite HEADER orchestrator/plan/suite.hpp
  NAMESPACE shakedown::suite SYMBOLS ${names})
set(suite_table ${table})
file(GLOB fact_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/suites/*/facts.cpp)
set(names "")
foreach(file IN LISTS fact_files)
  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(name ${folder} NAME)
  list(APPEND names ${name})
  list(APPEND folders suites/${name})
endforeach()
list(REMOVE_DUPLICATES folders)
shakedown_registry(table FUNCTION all_suite_facts TYPE SuiteFacts HEADER orchestrator/plan/suite_facts.hpp
  NAMESPACE shakedown::facts SYMBOLS ${names})
shakedown_layer(suites FOLDERS ${folders} LINKS shakedown_plan EXTRA ${suite_table} ${table})
# Each suite has a namespace of its own, and its suite.cpp uses it.
set_source_files_properties(${suite_files} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# The seam's `all_suite_facts()` is defined by the suites.
target_link_libraries(shakedown_plan PUBLIC shakedown_suites)

file(GLOB parser_folders CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/parsers/*/*.cpp)
list(TRANSFORM parser_folders REPLACE "/[^/]+$" "")
list(REMOVE_DUPLICATES parser_folders)
list(REMOVE_ITEM parser_folders parsers/rules)
shakedown_names(names ${parser_folders} TYPE Parser)
shakedown_registry(table FUNCTION parsers TYPE Parser HEADER parsers/parser.hpp
  NAMESPACE shakedown::parser SYMBOLS ${names})
shakedown_layer(parsers FOLDERS parsers ${parser_folders} LINKS shakedown_core EXTRA ${table})
target_link_libraries(shakedown_parsers PRIVATE simdjson::simdjson)

list(TRANSFORM parser_folders APPEND /rules OUTPUT_VARIABLE rule_folders)
shakedown_names(names ${rule_folders} TYPE RuleBook)
shakedown_registry(table FUNCTION rule_books TYPE RuleBook HEADER parsers/rules/rule.hpp
  NAMESPACE shakedown::rules SYMBOLS ${names})
shakedown_layer(rules FOLDERS parsers/rules ${rule_folders} LINKS shakedown_parsers shakedown_plan EXTRA ${table})

shakedown_embed(schema SYMBOL store_file FILES ${PROJECT_SOURCE_DIR}/orchestrator/store/schema.sql)
shakedown_layer(store FOLDERS orchestrator/store EXTRA ${schema}
  LINKS shakedown_plan shakedown_launch shakedown_parsers shakedown_rules SQLiteCpp sqlite3)

shakedown_layer(statistics FOLDERS reports/statistics LINKS shakedown_core Boost::headers)

file(GLOB report_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/reports/html/*.mustache
  ${PROJECT_SOURCE_DIR}/reports/html/*.css)
shakedown_embed(pages SYMBOL report_file FILES ${report_files})
shakedown_names(names reports/formats TYPE ReportFormat)
shakedown_registry(table FUNCTION report_formats TYPE ReportFormat HEADER reports/formats/format.hpp
  NAMESPACE shakedown::report_format SYMBOLS ${names})
set(format_table ${table})
shakedown_names(names reports/html TYPE ReportSection)
shakedown_registry(table FUNCTION report_sections TYPE ReportSection HEADER reports/html/page.hpp
  NAMESPACE shakedown::report_section SYMBOLS ${names})
shakedown_layer(measure FOLDERS reports/measure LINKS shakedown_store shakedown_statistics)
shakedown_layer(compare FOLDERS reports/compare LINKS shakedown_measure)
shakedown_layer(judge FOLDERS reports/judge LINKS shakedown_compare)
shakedown_layer(reports FOLDERS reports/html reports/json reports/formats reports/redact EXTRA ${pages} ${format_table} ${table} LINKS shakedown_judge)
target_include_directories(shakedown_reports SYSTEM PRIVATE ${MUSTACHE_INCLUDE_DIR})

shakedown_layer(evidence FOLDERS reports/evidence
  LINKS shakedown_core shakedown_libarchive PkgConfig::libzstd PkgConfig::libcrypto)

# The history page: its template is built from site/ and committed, so that no build needs npm.
shakedown_embed_file(template SYMBOL site_template FILE ${PROJECT_SOURCE_DIR}/site/template/index.html)
shakedown_layer(site FOLDERS reports/site EXTRA ${template} LINKS shakedown_reports Boost::headers)

shakedown_layer(serve FOLDERS orchestrator/serve LINKS shakedown_core Boost::headers Boost::system Threads::Threads)
shakedown_layer(planning FOLDERS orchestrator/planning LINKS shakedown_suites shakedown_launchers)
shakedown_layer(campaign FOLDERS orchestrator/campaign
  LINKS shakedown_planning shakedown_schedulers shakedown_reports shakedown_evidence)
shakedown_layer(regression FOLDERS orchestrator/regression LINKS shakedown_campaign)

shakedown_names(names orchestrator/cli TYPE Command)
shakedown_registry(table FUNCTION commands TYPE Command HEADER orchestrator/cli/command.hpp
  NAMESPACE shakedown::command SYMBOLS ${names})
shakedown_layer(cli FOLDERS orchestrator/cli orchestrator/cli/text EXTRA ${table}
  LINKS shakedown_regression shakedown_site shakedown_serve CLI11::CLI11)

# Most of the program waits for others; -O1 compiles it a quarter faster. What reads logs and plans, computes statistics,
# judges, queries the store or renders thousands of cases stays at -O2.
foreach(name inventory launch schedulers suites evidence serve planning campaign regression cli)
  target_compile_options(shakedown_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
endforeach()

add_executable(shakedown ${PROJECT_SOURCE_DIR}/orchestrator/main.cpp)
target_link_libraries(shakedown PRIVATE shakedown_cli shakedown_warnings)
install(TARGETS shakedown RUNTIME DESTINATION bin)
# The program writes its own manual page: commands and options are those that it parses.
if(NOT CMAKE_CROSSCOMPILING)
  set(manual ${PROJECT_BINARY_DIR}/share/man/man1/shakedown.1)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/man/man1)
  add_custom_command(TARGET shakedown POST_BUILD COMMAND shakedown list --manual > ${manual} BYPRODUCTS ${manual})
  install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# Both start with each case. What the dynamic linker does for a program of many libraries takes longer than their
# work: these have none, or few.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LINK_OPTIONS -static)
check_cxx_source_compiles("int main() { return 0; }" SHAKEDOWN_STATIC)
unset(CMAKE_REQUIRED_LINK_OPTIONS)

# The wrapper that job.sh starts each attempt with: libc and the hash's instructions alone, so that it starts in a millisecond.
file(GLOB attempt_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/orchestrator/launch/attempt/*.cpp)
add_executable(attempt ${attempt_files} ${PROJECT_SOURCE_DIR}/orchestrator/core/sha256_blocks.cpp)
target_include_directories(attempt PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(attempt PRIVATE shakedown_warnings)
target_link_options(attempt PRIVATE $<$<BOOL:${SHAKEDOWN_STATIC}>:-static>)
set_target_properties(attempt PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${SHAKEDOWN_LIBEXEC})
install(TARGETS attempt RUNTIME DESTINATION libexec/shakedown)

# What the wrapper runs before and after: what the settings of a node are read with, and nothing else of the layers.
set(files core/document_limits core/file core/hash core/json core/layout core/process_identity core/secret core/sha256_blocks
  core/text core/time core/units core/value inventory/gpus inventory/node_state
  inventory/software inventory/system_file launch/attempt_server launch/environment launch/loaded_files launch/node/look launch/node/main launch/node/serve launch/node_arguments launch/process
  launch/run_directory launch/spawn plan/run_file)
list(TRANSFORM files REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/orchestrator/\\1.cpp")
list(FILTER attempt_files EXCLUDE REGEX "/main\\.cpp$")
add_executable(node-state ${files} ${attempt_files})
target_include_directories(node-state PRIVATE ${PROJECT_SOURCE_DIR})
find_library(SHAKEDOWN_SODIUM_ARCHIVE libsodium.a)
target_link_libraries(node-state PRIVATE fmt::fmt-header-only nlohmann_json::nlohmann_json tl::expected
  PkgConfig::tomlplusplus Boost::headers Boost::filesystem Boost::system Threads::Threads ${CMAKE_DL_LIBS} shakedown_warnings
  $<IF:$<BOOL:${SHAKEDOWN_SODIUM_ARCHIVE}>,${SHAKEDOWN_SODIUM_ARCHIVE},PkgConfig::libsodium>)
target_compile_options(node-state PRIVATE -ffunction-sections -fdata-sections $<$<CONFIG:Release>:-O2>)
target_link_options(node-state PRIVATE -Wl,--gc-sections -Wl,--as-needed -static-libstdc++ -static-libgcc -Wl,-z,now)
set_target_properties(node-state PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${SHAKEDOWN_LIBEXEC})
install(TARGETS node-state RUNTIME DESTINATION libexec/shakedown)
