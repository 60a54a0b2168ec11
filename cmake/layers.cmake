# One CMake target for each layer of the house (docs/life-of-a-message.md).
#
# The include path of a layer holds its own folder and the folders of the layers it may know, and
# nothing else: an include in a forbidden direction does not compile. tests/layers.sh says the same
# of the text, so that a change here is noticed too.

set(RF_WARNINGS -Wall -Wextra -Wconversion -Wshadow -Wvla -Wstrict-prototypes
                -Wmissing-prototypes -Wundef -Wcast-qual -Wwrite-strings
                -Werror=implicit-function-declaration)
option(RF_WERROR "Treat warnings as errors" ON)
if(RF_WERROR)
  list(APPEND RF_WARNINGS -Werror)
endif()

# Instruction-set levels: a file named *_avx2.c or *_avx512.c is compiled for that level and only
# called when the machine has it (kernels/isa.h).
# gcc 12 packs the word masks of the index pass into vector registers and out again; scalar registers are faster.
# Without optimisation some intrinsics are macros that do not pass our warnings.
set(RF_LEVEL_FLAGS -fno-tree-slp-vectorize $<$<CONFIG:Debug>:-O1>)
set(RF_AVX2_FLAGS ${RF_LEVEL_FLAGS} -mavx2 -mbmi -mbmi2 -mlzcnt -mpopcnt -mpclmul)
set(RF_AVX512_FLAGS ${RF_AVX2_FLAGS} -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vbmi
                    -mavx512vbmi2 -mavx512cd -mavx512vpopcntdq -mvpclmulqdq -mprefer-vector-width=512)

function(rf_isa_flags)
  foreach(source ${ARGN})
    if(source MATCHES "_avx512\\.c$")
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${RF_AVX512_FLAGS}")
    elseif(source MATCHES "_avx2\\.c$")
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${RF_AVX2_FLAGS}")
    endif()
  endforeach()
endfunction()

# rf_layer(NAME DIR [KNOWS layer...] [LINK library...])
function(rf_layer name dir)
  cmake_parse_arguments(arg "" "" "KNOWS;LINK" ${ARGN})
  # Generated tables lie in a folder of their own, tables.
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${dir}/*.c ${PROJECT_SOURCE_DIR}/${dir}/tables/*.c)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(FILTER sources EXCLUDE REGEX "_avx(2|512)\\.c$")
  endif()
  if(sources)
    rf_isa_flags(${sources})
    add_library(rf_${name} STATIC ${sources})
    target_include_directories(rf_${name} PUBLIC ${PROJECT_SOURCE_DIR}/${dir})
    target_compile_options(rf_${name} PRIVATE ${RF_WARNINGS})
    # libriffle.so shows what riffle.h marks, and nothing else.
    set_target_properties(rf_${name} PROPERTIES C_VISIBILITY_PRESET hidden)
    set(scope PUBLIC)
  else()
    add_library(rf_${name} INTERFACE)
    target_include_directories(rf_${name} INTERFACE ${PROJECT_SOURCE_DIR}/${dir})
    set(scope INTERFACE)
  endif()
  foreach(layer ${arg_KNOWS})
    target_link_libraries(rf_${name} ${scope} rf_${layer})
  endforeach()
  target_link_libraries(rf_${name} ${scope} ${arg_LINK})
  set_property(GLOBAL APPEND PROPERTY RF_LAYERS rf_${name})
endfunction()

# One cmocka program for each tests/unit/<layer>/test_*.c, linked with that layer and what it knows.
function(rf_unit_tests layer)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/unit/${layer}/test_*.c)
  foreach(source ${sources})
    get_filename_component(test ${source} NAME_WE)
    add_executable(${test} ${source})
    target_link_libraries(${test} PRIVATE rf_${layer} PkgConfig::CMOCKA)
    target_compile_options(${test} PRIVATE ${RF_WARNINGS})
    add_test(NAME ${test} COMMAND ${test})
    set_tests_properties(${test} PROPERTIES LABELS ${layer})
  endforeach()
endfunction()
