# SPDX-License-Identifier: MIT
# The page of the viewer, web/, as static files in build/web: PLIANT_WEB_DIST. The packages of npm
# are installed once a lock file, from npm's cache where it has them; the page is built anew when one
# of its files changed.
set(PLIANT_WEB_DIST ${PROJECT_SOURCE_DIR}/build/web)
if(NOT PLIANT_WEB)
  return()
endif()
find_program(NPM_PROGRAM npm)
if(NOT NPM_PROGRAM)
  message(STATUS "npm was not found: the page of the viewer is not built")
  return()
endif()

set(web ${PROJECT_SOURCE_DIR}/web)
file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${web}/src/* ${web}/public/*)
# npm writes this file at the end of an installation. `npm ci` would refuse a lock file that lacks the
# packages of other systems, which a mirror may not have.
set(web_packages ${web}/node_modules/.package-lock.json)
add_custom_command(
  OUTPUT ${web_packages}
  COMMAND ${NPM_PROGRAM} install --no-save --prefer-offline --ignore-scripts --no-audit --no-fund --loglevel=error
  COMMAND ${CMAKE_COMMAND} -E touch ${web_packages}
  DEPENDS ${web}/package-lock.json
  WORKING_DIRECTORY ${web}
  COMMENT "Packages of the page"
  VERBATIM)
add_custom_command(
  OUTPUT ${PLIANT_WEB_DIST}/index.html
  COMMAND ${NPM_PROGRAM} run --silent build -- --outDir ${PLIANT_WEB_DIST} --emptyOutDir --logLevel warn
  DEPENDS ${web_packages} ${web_sources} ${web}/index.html ${web}/package.json ${web}/tsconfig.json
          ${web}/vite.config.ts
  WORKING_DIRECTORY ${web}
  COMMENT "Page of the viewer"
  VERBATIM)
add_custom_target(web ALL DEPENDS ${PLIANT_WEB_DIST}/index.html)
