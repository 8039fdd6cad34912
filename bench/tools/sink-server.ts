// A process that only accepts mail or HTTP posts: the least a provider can do.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

process.once('message', (kind: 'mail' | 'posts') => {
  const sendPort = (address: unknown) => process.send!((address as AddressInfo).port)
  if (kind === 'mail') {
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      hideSTARTTLS: true,
      logger: false,
      maxClients: 500,
      onData(stream, _session, done) {
        stream.on('data', () => {}).on('end', () => done(null, 'ok'))
      },
    })
    server.on('error', () => {})
    server.listen(0, '127.0.0.1', () => sendPort(server.server.address()))
  } else {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(201, { 'content-length': 0 }).end())
    })
    server.listen(0, '127.0.0.1', () => sendPort(server.address()))
  }
})
