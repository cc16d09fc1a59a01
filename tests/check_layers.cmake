# Who may include whom, and which door each third party stays behind. Run: cmake -DROOT=. -P check_layers.cmake
cmake_minimum_required(VERSION 3.25)

get_filename_component(ROOT "${ROOT}" ABSOLUTE)

# folder -> folders whose headers it may include (its own is always allowed)
set(may_core "")
set(may_inventory core)
set(may_plan ${may_inventory} inventory)
set(may_launch ${may_plan} plan)
set(may_launchers ${may_launch} launch)
set(may_schedulers ${may_launch} launch)
set(may_suites ${may_plan} plan)
set(may_parsers core)
set(may_rules core inventory plan parsers)
set(may_store core inventory plan launch parsers rules)
set(may_statistics core) # numbers in, numbers out
set(may_measure ${may_store} store statistics)
set(may_compare ${may_measure} measure)
set(may_judge ${may_compare} compare)
set(may_reports ${may_judge} judge)
set(may_evidence core)
set(may_site ${may_reports} reports)
set(may_serve core)
set(may_planning ${may_launch} launch suites)
set(may_campaign ${may_reports} reports evidence suites launchers schedulers planning)
set(may_regression ${may_campaign} campaign)
set(may_cli ${may_regression} regression site serve)
set(may_main ${may_cli} cli)
set(may_kernel "")  # suites/*/reference, suites/*/cuda, suites/kernel: ordinary programs, they know nothing of us
set(may_attempt core) # the wrapper inside a job: of core, what needs libc alone (cmake/Layers.cmake names it)
set(may_node ${may_launch} launch attempt) # what looks at a node, and starts attempts

# header pattern @ files that may include it
set(doors
  "^toml\\+\\+ @ orchestrator/core/toml(_copy)?\\.cpp"
  "^simdjson @ parsers/mlperf/[a-z_]+\\.cpp"
  "^sodium @ orchestrator/core/(hash|signature)\\.cpp"
  "^archive(_entry)?\\.h @ reports/evidence/tar\\.cpp"
  "^zstd @ reports/evidence/zstd_file\\.cpp"
  "^openssl/ @ reports/evidence/timestamp\\.cpp"
  "^(SQLiteCpp|sqlite3) @ orchestrator/store/(connection\\.hpp|[a-z_]+\\.cpp)"
  "^boost/ @ (orchestrator/launch/process\\.cpp|orchestrator/serve/http_server\\.cpp|reports/redact/texts\\.hpp|reports/statistics/distributions\\.cpp|reports/site/deflate\\.cpp)"
  "^hwloc @ orchestrator/inventory/[a-z_]+\\.cpp"
  "^kainjow @ reports/html/[a-z_]+\\.cpp"
  "^CLI/ @ orchestrator/cli/.*"
  "^(cuda_runtime|cublas) @ suites/([a-z0-9_]+/cuda|kernel/cuda)/[a-z]+\\.[a-z]+"
  "^mpi @ suites/([a-z0-9_]+/reference|kernel)/.*"
  "^cblas @ suites/([a-z0-9_]+/reference|kernel)/.*")

function(layer_of out file)
  if(file MATCHES "^suites/([^/]+/(reference|cuda)|kernel)/")
    set(layer kernel)
  elseif(file MATCHES "^orchestrator/launch/attempt/")
    set(layer attempt)
  elseif(file MATCHES "^orchestrator/launch/node/")
    set(layer node)
  elseif(file MATCHES "^orchestrator/main\\.cpp")
    set(layer main)
  elseif(file MATCHES "^orchestrator/([a-z]+)/")
    set(layer ${CMAKE_MATCH_1})
  elseif(file MATCHES "^parsers/([a-z0-9_]+/)?rules/")
    set(layer rules)
  elseif(file MATCHES "^reports/(statistics|measure|compare|judge|evidence|site)/")
    set(layer ${CMAKE_MATCH_1})
  elseif(file MATCHES "^(suites|parsers|reports)/")
    set(layer ${CMAKE_MATCH_1})
  else()
    set(layer "")
  endif()
  set(${out} "${layer}" PARENT_SCOPE)
endfunction()

# What a suite is called stands in suites/, in the folder of its grammar and in data alone. The names are those of the
# folders. A line that matches is no such name: fabric variables and a library of NCCL, examples within messages.
file(GLOB folders RELATIVE ${ROOT} ${ROOT}/suites/*/facts.cpp ${ROOT}/suites/*/suite.cpp ${ROOT}/parsers/*/rules)
list(TRANSFORM folders REPLACE "^[a-z]+/([^/]+)/.*" "\\1")
list(REMOVE_DUPLICATES folders)
string(REPLACE ";" "|" suite_ids "${folders}")
string(REPLACE "_" "-" suite_ids "${suite_ids}")
set(suite_literal "\"([^\"]*[^a-zA-Z0-9_.-])?(${suite_ids})([^a-zA-Z0-9_-][^\"]*)?\"")
set(no_suite_names
  "^[a-z/]+_keys\\.hpp: "  # examples of the reference pages
  "^orchestrator/plan/(implementation|site)\\.cpp: .*\"nccl\""
  "^orchestrator/launch/environment\\.cpp: .*\"libopen-pal\", "
  "^orchestrator/plan/site\\.cpp: .*\"write suite/implementation, "
  "^orchestrator/plan/regression\\.cpp: .*\"\\[\\[runs]] suite = "
  "^orchestrator/cli/[a-z]+\\.cpp: .*\"Example: ")

# check_suite_names(<file>): says of each line of a source that names a suite where none may.
function(check_suite_names file)
  if(file MATCHES "^suites/" OR (file MATCHES "^parsers/[a-z0-9_]+/" AND NOT file MATCHES "^parsers/rules/"))
    return()
  endif()
  file(STRINGS ${ROOT}/${file} lines REGEX "${suite_literal}")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "(^|[ \t])//.*$" "" code "${line}")
    if(NOT code MATCHES "${suite_literal}")
      continue()
    endif()
    set(allowed no)
    foreach(pattern IN LISTS no_suite_names)
      if("${file}: ${code}" MATCHES "${pattern}")
        set(allowed yes)
      endif()
    endforeach()
    if(NOT allowed)
      string(STRIP "${code}" code)
      message(SEND_ERROR "${file}: names a suite: ${code}")
      math(EXPR failures "${failures} + 1")
    endif()
  endforeach()
  set(failures ${failures} PARENT_SCOPE)
endfunction()

set(failures 0)
set(checked 0)
set(sizes "")
foreach(top orchestrator suites parsers reports)
  file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${top}/*.cpp ${ROOT}/${top}/*.hpp)
  foreach(file IN LISTS files)
    layer_of(layer ${file})
    if(NOT DEFINED may_${layer})
      message(SEND_ERROR "${file}: no layer '${layer}' in the table")
      continue()
    endif()
    math(EXPR checked "${checked} + 1")
    check_suite_names(${file})
    file(READ ${ROOT}/${file} text)
    string(REGEX REPLACE "[^\n]" "" text "${text}")
    string(LENGTH "${text}" size)
    list(APPEND sizes "${size} ${file}")
    file(STRINGS ${ROOT}/${file} parses REGEX "[jJ]son::(parse|accept)\\(")
    if(parses AND NOT file STREQUAL "orchestrator/core/json.cpp")
      message(SEND_ERROR "${file}: JSON is parsed behind orchestrator/core/json.hpp, which bounds it")
      math(EXPR failures "${failures} + 1")
    endif()
    file(STRINGS ${ROOT}/${file} includes REGEX "^#include [<\"]")
    foreach(line IN LISTS includes)
      string(REGEX REPLACE "^#include [<\"]([^>\"]+)[>\"].*" "\\1" header "${line}")
      layer_of(target ${header})
      if(target AND NOT target STREQUAL layer AND NOT target IN_LIST may_${layer})
        message(SEND_ERROR "${file}: ${layer} may not include ${header} (${target})")
        math(EXPR failures "${failures} + 1")
      endif()
      foreach(door IN LISTS doors)
        string(FIND "${door}" " @ " at)
        string(SUBSTRING "${door}" 0 ${at} pattern)
        math(EXPR at "${at} + 3")
        string(SUBSTRING "${door}" ${at} -1 allowed)
        if(header MATCHES "${pattern}" AND NOT file MATCHES "^${allowed}$")
          message(SEND_ERROR "${file}: <${header}> belongs behind its door: ${allowed}")
          math(EXPR failures "${failures} + 1")
        endif()
      endforeach()
    endforeach()
  endforeach()
endforeach()
if(checked LESS 20)
  message(FATAL_ERROR "only ${checked} files found below ${ROOT}")
endif()
list(SORT sizes COMPARE NATURAL)
math(EXPR middle "${checked} / 2")
list(GET sizes ${middle} median)
list(GET sizes -1 longest)
set(total 0)
foreach(size IN LISTS sizes)
  string(REGEX REPLACE " .*" "" size "${size}")
  math(EXPR total "${total} + ${size}")
endforeach()
string(REGEX REPLACE " .*" "" median "${median}")
string(REPLACE " " " lines, " longest "${longest}")
message("${checked} files with ${total} lines, median ${median}; the longest: ${longest}")
message("${checked} files checked, ${failures} failures")
