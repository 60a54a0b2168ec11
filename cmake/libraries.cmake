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

if(RF_TESTS)
  pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
endif()
