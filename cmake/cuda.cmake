# The CUDA backend: a plug-in that the program loads when it runs (host/device), so that nothing else depends on a toolkit.
#
# CUDA=AUTO  built where nvcc and a C++ compiler are found, else left out, which the configure log says with the reason
# CUDA=ON    must be there      CUDA=OFF  left out
#
# Gives RF_CUDA (true or false), and where it is true RF_NVCC and RF_CUDA_INCLUDE, the folder of the toolkit's headers.
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
  rf_check_cxx()
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
  # nvcc may be a script somewhere else: the toolkit is where its headers are.
  list(GET CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES 0 RF_CUDA_INCLUDE)
  set(RF_CUDA TRUE)
  message(STATUS "CUDA backend: ${RF_NVCC} ${CMAKE_CUDA_COMPILER_VERSION}, for ${RF_CUDA_ARCHITECTURES}")
elseif(CUDA STREQUAL ON)
  message(FATAL_ERROR "CUDA=ON, but: ${why_not}")
else()
  message(STATUS "CUDA backend: left out, ${why_not}")
endif()

# Ranges for profilers (host/base/trace.h). The headers are all there is to it, and they come with the toolkit. Sanitizers would look
# into them, so these builds go without.
option(RF_NVTX "Ranges for profilers, where NVTX's headers are found" ON)
set(RF_HAS_NVTX FALSE)
if(RF_NVTX AND NOT RF_SANITIZE AND NOT RF_FUZZ)
  if(NOT RF_NVTX_INCLUDE)
    unset(RF_NVTX_INCLUDE CACHE)
  endif()
  find_path(RF_NVTX_INCLUDE nvtx3/nvToolsExt.h HINTS ${RF_CUDA_INCLUDE} $ENV{CUDA_PATH}/include PATHS /usr/local/cuda/include
            DOC "Folder that nvtx3 lies in")
  if(RF_NVTX_INCLUDE)
    set(RF_HAS_NVTX TRUE)
  endif()
endif()

# rf_cuda_plugin(NAME DIR LAYER...): the plug-in NAME.so beside the program, of the .cu files of DIR; they may include what these
# layers own. Its objects are the target NAME_objects, which a test links with another runtime.
function(rf_cuda_plugin name dir)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${dir}/*.cu)
  # The plug-in shares nothing with the program, so it has ranges of its own, of the same domain.
  add_library(${name}_objects OBJECT ${sources} ${PROJECT_SOURCE_DIR}/host/base/trace.c)
  target_include_directories(${name}_objects PRIVATE ${PROJECT_SOURCE_DIR}/${dir})
  foreach(layer ${ARGN})
    target_include_directories(${name}_objects PRIVATE $<TARGET_PROPERTY:rf_${layer},INTERFACE_INCLUDE_DIRECTORIES>)
  endforeach()
  # Every engine gives the same bits: no contraction into FMA.
  target_compile_options(${name}_objects PRIVATE
                         $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false -lineinfo -Werror=all-warnings -Xcompiler=-Wall,-Wextra,-Werror>)
  if(RF_HAS_NVTX)
    target_include_directories(${name}_objects SYSTEM PRIVATE ${RF_NVTX_INCLUDE})
    target_compile_definitions(${name}_objects PRIVATE RF_HAS_NVTX)
  endif()
  set_target_properties(${name}_objects PROPERTIES CUDA_VISIBILITY_PRESET hidden C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON
                        CUDA_RUNTIME_LIBRARY Static)
  # It needs nothing but libc.
  add_library(${name} MODULE $<TARGET_OBJECTS:${name}_objects>)
  set_target_properties(${name} PROPERTIES PREFIX "" LINKER_LANGUAGE CUDA CUDA_RUNTIME_LIBRARY Static)
  target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
endfunction()
