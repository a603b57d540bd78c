import Diagnosis
import Glibc
import LunaCore
import Testing

@testable import LunaStore

/// What error numbers of system calls mean.
struct DeviceStoreErrorTests {
  @Test func whoMayOpenNoMoreFilesHasNoRightsToChange() {
    for code in [EMFILE, ENFILE] {
      let error = DeviceStoreError.system("open", "x", code)
      #expect(error.kind == .failed && error.remedy == "allow more open files (ulimit -n)")
    }
    #expect(DeviceStoreError.system("open", "x", EACCES).kind == .denied)
    #expect(DeviceStoreError.system("open", "x", ENOSPC).kind == .full)
  }

  @Test func onlyDevicesAreImportedAgain() {
    for (name, steps) in [
      (SQLiteDeviceStore.defaultFileName, [Remedy.Step.importing]), (UplinkStore.fileName, []),
      (HomeStore.fileName, []),
    ] {
      #expect(DeviceStoreError.damaged("/x/\(name)", "it is short").remedy?.steps == steps)
    }
  }
}
