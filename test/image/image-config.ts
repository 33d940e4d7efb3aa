import { PROGRAM } from './root-file-system.ts'

const NODE = '/usr/local/bin/node'
const SECOND = 1_000_000_000

/** What the Dockerfile says as well; a test holds the two against each other. */
export const imageConfig = ({
  version,
  revision,
  created,
}: {
  readonly version: string
  readonly revision: string
  readonly created: string
}) => {
  const annotations = {
    'org.opencontainers.image.title': 'Handset',
    'org.opencontainers.image.description': 'A scan-and-push FIDO service on your desk, with the phones to go with it.',
    'org.opencontainers.image.licenses': 'MIT',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.revision': revision,
    'org.opencontainers.image.created': created,
  }
  const config = {
    User: '65532:65532',
    Env: ['PATH=/usr/local/bin:/usr/bin:/bin', 'NODE_ENV=production', 'HANDSET_HOST=0.0.0.0', 'HANDSET_DATA=/data'],
    Entrypoint: [NODE, `${PROGRAM}/bin.mjs`],
    Cmd: ['serve'],
    ExposedPorts: { '7420/tcp': {} },
    Volumes: { '/data': {} },
    WorkingDir: '/data',
    StopSignal: 'SIGTERM',
    Labels: annotations,
    Healthcheck: {
      Test: ['CMD', NODE, `${PROGRAM}/health.mjs`],
      Interval: 10 * SECOND,
      Timeout: 6 * SECOND,
      StartPeriod: 5 * SECOND,
      Retries: 3,
    },
  }
  return { annotations, config }
}
