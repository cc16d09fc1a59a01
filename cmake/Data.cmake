# Shipped data: copied into the build tree in the installed layout, and installed.
#   share/shakedown/implementations/<suite id>/<implementation>.toml  .../results*.tsv: published results
#   share/shakedown/{baselines,criteria,systems,templates,schedulers}/*.toml  share/shakedown/comparability.toml
#   share/shakedown/docs/*.schema.json

function(shakedown_data destination)
  foreach(file IN LISTS ARGN)
    get_filename_component(name ${file} NAME)
    configure_file(${file} ${SHAKEDOWN_SHARE}/${destination}/${name} COPYONLY)
    install(FILES ${file} DESTINATION share/shakedown/${destination})
  endforeach()
endfunction()

file(GLOB suite_folders CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/suites/*)
foreach(folder IN LISTS suite_folders)
  get_filename_component(name ${folder} NAME)
  string(REPLACE "_" "-" id ${name})
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.toml ${folder}/*.tsv)
  shakedown_data(implementations/${id} ${files})
endforeach()
foreach(kind baselines criteria)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/reports/${kind}/*.toml)
  shakedown_data(${kind} ${files})
endforeach()
foreach(kind systems templates schedulers)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/orchestrator/${kind}/*.toml)
  shakedown_data(${kind} ${files})
endforeach()
file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/reports/compare/*.toml)
shakedown_data(. ${files})
# The JSON Schemas of what the program writes.
file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/reference/*.schema.json)
shakedown_data(docs ${files})
