/* The stream alone, for pages that have nothing else that main.js would look after. */

import { connect } from "./live.js";

connect();
