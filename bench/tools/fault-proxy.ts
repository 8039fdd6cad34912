import net from 'node:net'

/**
 * pass: no fault. hang: both directions stall, and buffered data is delivered afterwards. blackhole: data is lost for
 * good, as after a failover. reset: every existing and new connection is reset.
 */
export type Fault = 'pass' | 'hang' | 'blackhole' | 'reset'

/** A proxy between the portal and its database that simulates network faults. */
export async function startFaultProxy(target: { host: string; port: number }) {
  let fault: Fault = 'pass'
  const sockets = new Set<net.Socket>()

  const follow = (from: net.Socket, to: net.Socket) => {
    sockets.add(from)
    from.on('data', (chunk) => {
      if (fault !== 'blackhole') to.write(chunk)
    })
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
    if (fault === 'hang') from.pause()
  }
  const server = net.createServer((client) => {
    if (fault === 'reset') return void client.resetAndDestroy()
    const database = net.connect(target.port, target.host)
    follow(client, database)
    follow(database, client)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))

  return {
    port: (server.address() as net.AddressInfo).port,
    set(next: Fault) {
      fault = next
      for (const socket of sockets) {
        if (fault === 'reset') socket.resetAndDestroy()
        else if (fault === 'hang') socket.pause()
        else socket.resume()
      }
    },
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
