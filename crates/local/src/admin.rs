//! The first admin: made at the first start, told at every one.

use anyhow::{Result, anyhow};
use waraq_aws::Cloud;
use waraq_core::accounts::{Address, add_admin};

use crate::folder::Folder;

/// The file the credentials are kept in, readable by its owner only.
pub const FILE: &str = "first-admin.txt";

/// Whom to sign in as.
#[derive(Debug, Clone)]
pub struct FirstAdmin {
    pub email: String,
    pub password: String,
    /// Whether he was made at this start.
    pub new: bool,
}

/// The first admin of this folder. The file is written before the account: killed between the two, the next start makes
/// the account with the password the file has.
pub async fn first_admin(folder: &Folder, cloud: &Cloud, email: &str) -> Result<FirstAdmin> {
    let made = folder.once(FILE, || format!("email: {email}\npassword: {}\n", new_password(cloud)).into_bytes())?;
    let made = String::from_utf8_lossy(&made).into_owned();
    let line = |name: &str| made.lines().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_owned());
    let (Some(email), Some(password)) = (line("email:"), line("password:")) else {
        return Err(anyhow!("{} names no e-mail and password: mend it or delete it", folder.path(FILE).display()));
    };
    if line("account:").is_some() {
        return Ok(FirstAdmin { email, password, new: false });
    }
    let address = Address::parse(&email)?;
    let id = match cloud.accounts().holders(&address).await?.owner {
        Some(id) => id,
        None => {
            let credentials = (email.as_str(), password.as_str());
            add_admin(cloud.accounts(), cloud.identity(), cloud.clock(), cloud.chance(), credentials).await?.id
        }
    };
    folder.write(FILE, format!("email: {email}\npassword: {password}\naccount: {id}\n").as_bytes())?;
    Ok(FirstAdmin { email, password, new: true })
}

/// Four groups of five letters and digits: 100 bits, easy to type.
pub fn new_password(cloud: &Cloud) -> String {
    let letters: Vec<char> = "0123456789abcdefghjkmnpqrstvwxyz".chars().collect();
    let mut chance = [0u8; 20];
    cloud.chance().fill(&mut chance);
    let picked: Vec<char> = chance.iter().filter_map(|byte| letters.get(usize::from(byte % 32))).copied().collect();
    picked.chunks(5).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}
