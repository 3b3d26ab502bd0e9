; Links fullhouse:// of the installing user. The app asks before it opens what a link names.
!macro customInstall
  WriteRegStr SHCTX "Software\Classes\fullhouse" "" "URL:Fullhouse link"
  WriteRegStr SHCTX "Software\Classes\fullhouse" "URL Protocol" ""
  WriteRegStr SHCTX "Software\Classes\fullhouse\DefaultIcon" "" "$INSTDIR\${APP_EXECUTABLE_FILENAME},0"
  WriteRegStr SHCTX "Software\Classes\fullhouse\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
!macroend

!macro customUnInstall
  DeleteRegKey SHCTX "Software\Classes\fullhouse"
!macroend
