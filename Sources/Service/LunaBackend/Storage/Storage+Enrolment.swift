extension Storage {
  /// Takes an enrolment code back, where it has not been used up.
  package func withdraw(_ enrolment: EnrolmentRecord) async throws(StorageError) {
    try await transaction(isSerial: false) { work throws(StorageError) in
      _ = try work.change(
        "DELETE FROM luna.enrolments WHERE digest = $1", [.bytes(enrolment.digest)])
    }
  }
}
