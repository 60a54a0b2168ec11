# Libraries beside our own code. The compression and hash libraries are linked statically where their archives
# are there: every shared library costs start-up time, and a filter on a small file is mostly start-up.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

set(RF_COMPRESSION_LIBRARIES)
foreach(name z zstd lz4)
  find_library(RF_LIB_${name} NAMES lib${name}.a ${name} REQUIRED)
  list(APPEND RF_COMPRESSION_LIBRARIES ${RF_LIB_${name}})
endforeach()

# XXH64 is libxxhash's, SHA-256 is libmd's (host/scalar/digest.h).
set(RF_HASH_LIBRARIES)
foreach(name xxhash md)
  find_library(RF_LIB_${name} NAMES lib${name}.a ${name} REQUIRED)
  list(APPEND RF_HASH_LIBRARIES ${RF_LIB_${name}})
endforeach()

# Dictionaries of FIX are XML (host/fix/fix_xml.c).
find_library(RF_EXPAT_LIBRARY NAMES libexpat.a expat REQUIRED)

# Configuration is YAML (host/config/yaml.c). The archive of libfyaml holds a copy of xxhash under its own names: it is copied
# with those renamed, or else they would clash with libxxhash.
find_library(RF_LIB_fyaml NAMES libfyaml.a fyaml REQUIRED)
set(RF_YAML_LIBRARY ${RF_LIB_fyaml})
if(RF_LIB_fyaml MATCHES "\\.a$")
  execute_process(COMMAND ${CMAKE_NM} -g --defined-only ${RF_LIB_fyaml} OUTPUT_VARIABLE symbols ERROR_QUIET
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "XXH[A-Za-z0-9_]+" symbols "${symbols}")
  list(REMOVE_DUPLICATES symbols)
  list(TRANSFORM symbols REPLACE "(.+)" "\\1 fy_\\1")
  list(JOIN symbols "\n" symbols)
  file(WRITE ${PROJECT_BINARY_DIR}/fyaml_symbols "${symbols}\n")
  set(RF_YAML_LIBRARY ${PROJECT_BINARY_DIR}/libfyaml_renamed.a)
  execute_process(COMMAND ${CMAKE_OBJCOPY} --redefine-syms=${PROJECT_BINARY_DIR}/fyaml_symbols ${RF_LIB_fyaml}
                          ${RF_YAML_LIBRARY} COMMAND_ERROR_IS_FATAL ANY)
endif()

if(RF_TESTS)
  pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
endif()
