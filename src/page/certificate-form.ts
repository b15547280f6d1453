/** A certificate and a matrix, dropped or chosen, and whether the one holds for the other. */
import { byId } from './element.js';
import type { MatrixDesk } from './matrix-desk.js';

export function listenForCertificates(desk: MatrixDesk): void {
  const file = (id: string): File | null => byId<HTMLInputElement>(id).files?.[0] ?? null;
  byId('verify-form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const [certificate, matrix] = [file('verify-certificate'), file('verify-matrix')];
    if (certificate === null) return say('Expected a certificate.', false);
    if (matrix === null && desk.isEmpty) return say('Expected a matrix, here or above.', false);
    const button = byId<HTMLButtonElement>('verify-run');
    button.disabled = true;
    say('Verifying …', null);
    try {
      const { holds, text } = await desk.run('verify', { certificate, name: certificate.name, matrix });
      say(holds ? text : `Refused. ${text}`, holds);
    } catch (error) {
      say((error as Error).message, false);
    } finally {
      button.disabled = false;
    }
  });
}

function say(text: string, holds: boolean | null): void {
  const verdict = byId('verdict');
  verdict.textContent = text;
  verdict.className = `verdict${holds === null ? '' : holds ? ' holds' : ' fails'}`;
}
