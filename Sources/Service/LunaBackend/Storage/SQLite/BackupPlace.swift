import Diagnosis
import FileOutput
import Glibc
import SQLite

/// Where a copy of a storage goes. What is there stays until the copy is whole.
final class BackupPlace: Sendable {
  private let source: DatabasePlace
  private let name: String
  private let draft: FileDraft

  init(of source: DatabasePlace, at name: String, replacing: Bool) throws(StorageError) {
    var (its, other) = (stat(), stat())
    guard
      stat(source.path, &its) != 0 || stat(name, &other) != 0 || its.st_dev != other.st_dev
        || its.st_ino != other.st_ino
    else {
      throw StorageError(.exists, "\(name) is the storage itself", remedy: "name another file")
    }
    self.source = source
    self.name = name
    do throws(FileOutputError) {
      // Beside the storage there was room for one already.
      draft = try FileDraft(
        of: name, replacing: replacing, isSecret: true, spare: source.directory)
    } catch {
      throw StorageError(error)
    }
  }

  /// Copies, and reads all of the copy.
  func take(_ database: borrowing Database<StorageError>) throws(StorageError) {
    do throws(StorageError) {
      try database.copy(to: draft.path)
      let copy = try Database<StorageError>(unchanging: draft.path)
      guard let damage = try copy.damage() else { return }
      throw StorageError(
        .damaged, "\(source.path) is damaged: \(damage)",
        remedy: "copy it and its -wal file to a safe place, then restore a backup")
    } catch {
      // Nobody knows the name of the draft.
      guard error.kind == .full else { throw error }
      throw StorageError(FileOutputError(ENOSPC, path: name))
    }
  }

  /// Puts the copy in its place.
  func install() throws(StorageError) {
    do throws(FileOutputError) {
      try draft.install()
    } catch {
      throw StorageError(error)
    }
  }
}
