# What a user gets: the program with its man page and completions, and libriffle (shared and static) with its
# header, pkg-config file and CMake package. tests/consumer.sh installs all of it and builds against it.
include(CMakePackageConfigHelpers)

install(TARGETS riffle RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES LICENSE LICENSE.Apache-2.0 NOTICE README.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL) # tests/consumer.sh wants all

# Instrumented builds are for our own tests only.
if(RF_SANITIZE OR RF_FUZZ)
  return()
endif()

# --- man page and completions: made by the program itself from its table of flags ---
if(NOT CMAKE_CROSSCOMPILING)
  set(pages ${PROJECT_BINARY_DIR}/pages)
  file(MAKE_DIRECTORY ${pages})
  add_custom_command(
    OUTPUT ${pages}/riffle.1 ${pages}/riffle.bash ${pages}/_riffle ${pages}/riffle.fish
    COMMAND riffle --man > ${pages}/riffle.1
    COMMAND riffle --completion bash > ${pages}/riffle.bash
    COMMAND riffle --completion zsh > ${pages}/_riffle
    COMMAND riffle --completion fish > ${pages}/riffle.fish
    DEPENDS riffle VERBATIM)
  add_custom_target(riffle_pages ALL DEPENDS ${pages}/riffle.1)
  install(FILES ${pages}/riffle.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${pages}/riffle.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME riffle)
  install(FILES ${pages}/_riffle DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${pages}/riffle.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# --- libriffle ---
# Every layer that the API knows. A layer that has no source yet is an INTERFACE library without objects.
set(not_in_library "^rf_(config|rules|cli)$")
get_property(layers GLOBAL PROPERTY RF_LAYERS)
set(objects)
foreach(layer ${layers})
  get_target_property(type ${layer} TYPE)
  if(type STREQUAL "STATIC_LIBRARY" AND NOT layer MATCHES "${not_in_library}")
    list(APPEND objects $<TARGET_OBJECTS:${layer}>)
  endif()
endforeach()

# The archive holds all of them; what they need from the system is named, not merged.
add_library(riffle_static STATIC ${objects})
target_link_libraries(riffle_static INTERFACE z zstd lz4 xxhash md expat m Threads::Threads)

# The shared library takes from the layers only what the API reaches. Static archives of others need not be
# position independent, so here their shared libraries are used, and only if something calls them.
set(shared_libraries)
foreach(name z zstd lz4 xxhash md expat)
  find_library(RF_SHARED_${name} NAMES lib${name}.so ${name} REQUIRED)
  list(APPEND shared_libraries ${RF_SHARED_${name}})
endforeach()
add_library(riffle_shared SHARED $<TARGET_OBJECTS:rf_api>)
target_link_options(riffle_shared PRIVATE -Wl,--as-needed -Wl,-z,defs)
target_link_libraries(riffle_shared PRIVATE -Wl,--start-group)
foreach(layer ${layers})
  get_target_property(type ${layer} TYPE)
  if(type STREQUAL "STATIC_LIBRARY" AND NOT layer MATCHES "${not_in_library}|^rf_api$")
    add_dependencies(riffle_shared ${layer})
    target_link_libraries(riffle_shared PRIVATE $<TARGET_FILE:${layer}>)
  endif()
endforeach()
target_link_libraries(riffle_shared PRIVATE -Wl,--end-group ${shared_libraries} m Threads::Threads)

foreach(library riffle_static riffle_shared)
  set_target_properties(${library} PROPERTIES OUTPUT_NAME riffle LINKER_LANGUAGE C
                        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  target_include_directories(${library} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/host/api>
                                                  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
set_target_properties(riffle_shared PROPERTIES EXPORT_NAME riffle)

install(FILES host/api/riffle.h host/api/riffle_fix.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS riffle_shared riffle_static EXPORT riffleTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})

# --- find_package(riffle): targets riffle::riffle (shared) and riffle::riffle_static ---
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/riffle)
install(EXPORT riffleTargets NAMESPACE riffle:: DESTINATION ${package})
configure_package_config_file(cmake/riffleConfig.cmake.in ${PROJECT_BINARY_DIR}/riffleConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/riffleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/riffleConfig.cmake ${PROJECT_BINARY_DIR}/riffleConfigVersion.cmake
        DESTINATION ${package})

# --- pkg-config: the prefix is found from where the file lies, so that the tree can be moved ---
file(RELATIVE_PATH RF_PC_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/riffle.pc.in ${PROJECT_BINARY_DIR}/riffle.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/riffle.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
