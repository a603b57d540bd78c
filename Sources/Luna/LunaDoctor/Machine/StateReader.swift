import FileOutput
import Glibc
import LunaClient
import LunaCore
import LunaFinder
import LunaStore
import SafeText

/// Reads what a state directory tells. Blocks.
enum StateReader {
  static func read(_ directory: StateDirectory) -> StateFacts {
    var facts = StateFacts(path: directory.path, user: geteuid())
    var status = stat()
    guard stat(directory.path, &status) == 0 else {
      if errno != ENOENT { facts.problem = String(cString: strerror(errno)) }
      return facts
    }
    facts.place = StateFacts.Place(
      owner: status.st_uid, ownerName: name(of: status.st_uid),
      mode: UInt32(status.st_mode) & 0o777,
      isDirectory: status.st_mode & S_IFMT == S_IFDIR,
      isUsable: access(directory.path, R_OK | W_OK | X_OK) == 0)
    facts.place?.isReadOnly = access(directory.path, W_OK) != 0 && errno == EROFS
    guard facts.place?.isUsable == true, facts.place?.isDirectory == true else { return facts }
    let configuration = LunaConfiguration()
    for (file, contents) in [
      (configuration.devicesFilename, StateDirectory.Contents.devices),
      (configuration.dataFilename, .queue),
    ] {
      do throws(DeviceStoreError) {
        _ = try directory.check(file, as: contents)
      } catch {
        facts.errors.append(error)
      }
    }
    let names = entries(of: directory.path)
    facts.replaced = names.filter { name in
      [".replaced-", ".damaged-"].contains { name.contains(text: $0) } && !name.hasSuffix("-wal")
    }
    .filter { !$0.hasSuffix("-shm") }.map { "\(directory.path)/\($0)" }
    let secret = [TokenSource.Role.gateway, .owner].map(\.tokenFile)
    facts.openFiles = names.filter(secret.contains).map { "\(directory.path)/\($0)" }
      .filter { path in
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o044 != 0
      }
    return facts
  }

  private static func name(of user: uid_t) -> String? {
    var record = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 4096)
    guard getpwuid_r(user, &record, &buffer, buffer.count, &found) == 0, found != nil else {
      return nil
    }
    return record.pw_name.map { String(cString: $0) }
  }

  private static func entries(of path: String) -> [String] {
    (Directory.names(in: path) ?? []).sorted()
  }
}
