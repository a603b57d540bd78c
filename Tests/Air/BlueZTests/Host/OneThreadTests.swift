import Glibc
import LunaTesting
import Testing

@testable import BlueZ

/// luna-helper in a program whose tasks share one thread.
@Suite(.timeLimit(.minutes(10)))
struct OneThreadTests {
  @Test func tasksGoOnWhileTheHelperIsSilent() async {
    let folder = TestFolder()
    await #expect(processExitsWith: .success) { [folder = folder.path as String] in
      let (program, pipe) = (folder + "/helper", folder + "/pipe")
      try #require(mkfifo(pipe, 0o600) == 0)
      let text = Array("#!/bin/sh\nread answer < '\(pipe)'\n".utf8)
      let descriptor = open(program, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o700)
      try #require(descriptor >= 0 && write(descriptor, text, text.count) == text.count)
      close(descriptor)
      let helper = SocketHelper(program: program, socket: folder + "/nowhere")
      let isOver = Watched(false)
      try await OneThread.check(
        {
          do { #expect(try await helper.ask(.monitor) == nil) } catch { Issue.record(error) }
          // It is given up in the end, whoever waits for it.
          #expect(isOver.value)
        },
        until: {
          isOver.withLock { $0 = true }
          close(open(pipe, O_WRONLY | O_CLOEXEC))
        })
    }
    withExtendedLifetime(folder) {}
  }
}
