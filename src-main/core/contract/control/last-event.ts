/** Of an answer of the control interface: the number of the workspace's latest event when the answer was made. */
export const LAST_EVENT = 'X-Last-Event'
