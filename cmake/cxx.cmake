# rf_check_cxx(): CMAKE_CXX_COMPILER is false when there is no C++ compiler. The build of the program needs none, so it is looked for
# where something of C++ may be built: one that was not there at the first configuring is found at a later one.
include(CheckLanguage)
macro(rf_check_cxx)
  if(DEFINED CMAKE_CXX_COMPILER AND NOT CMAKE_CXX_COMPILER)
    unset(CMAKE_CXX_COMPILER CACHE)
    unset(CMAKE_CXX_COMPILER)
  endif()
  check_language(CXX)
endmacro()
