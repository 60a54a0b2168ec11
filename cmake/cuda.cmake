# The CUDA backend: a plug-in that the program loads when it runs (host/device), so that nothing else depends on a toolkit.
#
# CUDA=AUTO  built where nvcc and a C++ compiler are found, else left out, which the configure log says with the reason
# CUDA=ON    must be there      CUDA=OFF  left out
#
# Gives RF_CUDA (true or false), and where it is true RF_NVCC and RF_CUDA_ROOT, the folder of the toolkit.
set(CUDA AUTO CACHE STRING "CUDA backend: AUTO, ON or OFF")
set_property(CACHE CUDA PROPERTY STRINGS AUTO ON OFF)
# PTX for the oldest card there is support for: the driver translates it on the first run. The release preset has machine code.
set(RF_CUDA_ARCHITECTURES 75-virtual CACHE STRING "As CMAKE_CUDA_ARCHITECTURES")

set(RF_CUDA FALSE)
set(why_not "")
if(NOT CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "CUDA=${CUDA}: AUTO, ON or OFF is wanted")
endif()
# A compiler that was not found is looked for again: it may have been installed since.
if(NOT RF_NVCC)
  unset(RF_NVCC CACHE)
endif()
# Toolkits install beside the search path as often as in it.
find_program(RF_NVCC nvcc HINTS $ENV{CUDACXX} $ENV{CUDA_PATH}/bin $ENV{CUDA_HOME}/bin PATHS /usr/local/cuda/bin
             DOC "Compiler of the CUDA backend")
if(CUDA STREQUAL OFF)
  set(why_not "CUDA=OFF")
elseif(RF_SANITIZE OR RF_FUZZ)
  set(why_not "not built with sanitizers")
elseif(NOT RF_NVCC)
  set(why_not "nvcc was not found (PATH, CUDA_PATH, CUDA_HOME, /usr/local/cuda)")
else()
  include(CheckLanguage)
  check_language(CXX)
  if(NOT CMAKE_CXX_COMPILER)
    set(why_not "nvcc needs a C++ compiler, and none was found")
  endif()
endif()

if(why_not STREQUAL "")
  enable_language(CXX)
  set(CMAKE_CXX_STANDARD 17)
  set(CMAKE_CXX_STANDARD_REQUIRED ON)
  set(CMAKE_CUDA_COMPILER ${RF_NVCC})
  set(CMAKE_CUDA_ARCHITECTURES ${RF_CUDA_ARCHITECTURES})
  enable_language(CUDA)
  set(CMAKE_CUDA_STANDARD 17)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  get_filename_component(RF_CUDA_ROOT ${RF_NVCC} REALPATH)
  cmake_path(GET RF_CUDA_ROOT PARENT_PATH RF_CUDA_ROOT)
  cmake_path(GET RF_CUDA_ROOT PARENT_PATH RF_CUDA_ROOT)
  set(RF_CUDA TRUE)
  message(STATUS "CUDA backend: ${RF_NVCC} ${CMAKE_CUDA_COMPILER_VERSION}, for ${RF_CUDA_ARCHITECTURES}")
elseif(CUDA STREQUAL ON)
  message(FATAL_ERROR "CUDA=ON, but: ${why_not}")
else()
  message(STATUS "CUDA backend: left out, ${why_not}")
endif()
