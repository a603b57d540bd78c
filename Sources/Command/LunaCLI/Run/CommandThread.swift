import EventLoop

/// Where commands do their work: who reads what they write may stand still, and what goes on beside them
/// is not to wait for that.
enum CommandThread {
  static let tasks: any TaskExecutor = BlockingTasks(name: "luna.command")
}
