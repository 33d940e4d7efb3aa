; What the program registers itself, and the installer does not know. Checked by test/shell/registration.test.ts.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    ; Links may belong to another program by now.
    ReadRegStr $R0 HKCU "Software\Classes\handset\shell\open\command" ""
    StrCpy $R1 '"$INSTDIR\${APP_EXECUTABLE_FILENAME}"'
    StrLen $R2 $R1
    StrCpy $R0 $R0 $R2
    ${if} $R0 == $R1
      DeleteRegKey HKCU "Software\Classes\handset"
    ${endIf}
    DeleteRegKey HKCU "Software\Classes\CLSID\{13153EF4-5B2F-4B9D-8FFB-217D8088E161}"
  ${endIf}
!macroend
