//! Steps to set up an installation: connecting to its table and bucket, creating both in an emulator, and making a user an admin.
//! They run on a machine with the necessary permissions.

use anyhow::Result;
use waraq_aws::{Cloud, RuntimeOptions, Settings, create_bucket, create_table};
use waraq_core::accounts::{Address, Role, add_admin};

/// Connects to the table and the bucket that the environment variables name. These are the same variables that the
/// Lambda functions have (see `docs/deploying.md`).
pub async fn cloud_from_environment() -> Result<Cloud> {
    let cloud = Cloud::new(Settings::from_environment()?, RuntimeOptions::default())?;
    cloud.ready().await?;
    Ok(cloud)
}

/// How a user became an admin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdminOutcome {
    /// A new account was created with this password.
    New(String),
    /// An existing account was promoted and keeps its password.
    Promoted,
}

/// Makes the user with this e-mail address an admin. Creates an account if the address has none.
pub async fn make_admin(cloud: &Cloud, email: &str) -> Result<AdminOutcome> {
    let typed = Address::typed(email)?;
    for address in [typed.stored, Some(typed.address)].into_iter().flatten() {
        if let Some(id) = cloud.accounts().address_claims(&address).await?.owner {
            cloud.account_service()?.set_role_as_operator(&id, Role::Admin).await?;
            return Ok(AdminOutcome::Promoted);
        }
    }
    let password = new_password(cloud);
    add_admin(cloud.accounts(), cloud.password_store(), cloud.clock(), cloud.random_source(), (email, &password))
        .await?;
    Ok(AdminOutcome::New(password))
}

/// Generates a password of four groups of five letters and digits: 100 bits, easy to type.
pub fn new_password(cloud: &Cloud) -> String {
    let letters: Vec<char> = "0123456789abcdefghjkmnpqrstvwxyz".chars().collect();
    let mut chance = [0u8; 20];
    cloud.random_source().fill_bytes(&mut chance);
    let picked: Vec<char> = chance.iter().filter_map(|byte| letters.get(usize::from(byte % 32))).copied().collect();
    picked.chunks(5).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

/// Creates the table and the bucket if they are missing, for example in an emulator of AWS. Returns their names.
pub async fn create_stores(cloud: &Cloud) -> Result<String> {
    create_table(cloud.dynamodb(), cloud.table_name()).await?;
    create_bucket(cloud.s3(), cloud.bucket_name(), cloud.region()).await?;
    Ok(format!("{}, {}", cloud.table_name(), cloud.bucket_name()))
}
