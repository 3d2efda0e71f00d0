/* Only the event stream, for pages without main.js. */

import { connect } from "./live.js";

connect();
